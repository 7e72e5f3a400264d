import { readFile, stat } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ReadbackError } from "../errors.ts";
import { nearest } from "../near.ts";
import {
  type ModuleRequest,
  type ModuleSyntax,
  ModuleSyntaxError,
  moduleRequests,
  type Place,
} from "./_module-requests.ts";
import { importLibrary, isLibrary, librarySpecifiers } from "./_register-library.ts";

export interface CheckImportsOptions {
  /** The file's path as the person gave it: what messages say. */
  readonly shown: string;
}

/** One file, by its path and as messages call it. */
export interface SourceFile {
  readonly path: string;
  readonly shown: string;
}

/**
 * Checks, before a file runs, that everything it would load is here: Bun downloads and runs an unknown package, with the
 * key in the environment. Follows relative imports.
 *
 * @returns the files it looked at: the given one, and those it loads
 * @throws usage_error - with file, line and column: a package that is not on disk, an address, a computed import, a
 * file that is missing or cannot be parsed
 */
export async function checkImports(
  path: string,
  options: CheckImportsOptions,
): Promise<readonly SourceFile[]> {
  const first: SourceFile = { path, shown: options.shown };
  const files = [first];
  for (const file of files) {
    for (const next of await checkFile(file)) {
      if (files.some((known) => known.path === next)) continue;
      files.push({ path: next, shown: shownBeside(first, next) }); // the loop goes on to it
    }
  }
  return files;
}

/** Checks one file and gives the paths of the further source files that it loads. */
async function checkFile(file: SourceFile): Promise<readonly string[]> {
  const { requests, unsupported } = await readSyntax(file);
  const [first] = unsupported;
  if (first !== undefined) {
    const why = "is TypeScript that Node and Deno do not run; types can be taken away, this cannot";
    throw refuse(file, first, `${first.what} ${why}`);
  }
  const found: string[] = [];
  for (const request of requests) {
    const path = await checkRequest(file, request);
    if (path !== null && isSource(path) && !isOwn(path)) found.push(path);
  }
  return found;
}

async function readSyntax(file: SourceFile): Promise<ModuleSyntax> {
  const text = await readFile(file.path, "utf8");
  try {
    return moduleRequests(text, { typescript: /\.m?ts$/.test(file.path) });
  } catch (error) {
    if (error instanceof ModuleSyntaxError) throw refuse(file, error, error.message);
    throw error;
  }
}

/** Gives the path of a file that the request loads, or null when it loads none of the person's own. */
async function checkRequest(file: SourceFile, request: ModuleRequest): Promise<string | null> {
  const { specifier } = request;
  if (specifier === null) {
    throw refuse(
      file,
      request,
      "an import must name what it loads, in quotes, so that it can be checked first",
    );
  }
  if (/^(\.{1,2}\/|\/|file:)/.test(specifier)) return await checkPath(file, request, specifier);
  if (isLibrary(specifier)) return await checkNames(file, request, specifier);
  if (specifier.startsWith("node:")) return null;
  if (await isOnDisk(specifier, dirname(file.path))) return null;
  throw refuse(file, request, `cannot import "${specifier}": ${whyNot(specifier)}`);
}

/** Bun leaves a type out that was imported like a value, Node and Deno stop: so that it is the same everywhere. */
async function checkNames(file: SourceFile, request: ModuleRequest, specifier: string): Promise<null> {
  const exported = Object.keys(request.names.length === 0 ? {} : await importLibrary(specifier));
  const missing = request.names.find(({ name }) => !exported.includes(name));
  if (missing === undefined) return null;
  const near = nearest(missing.name, exported);
  const hint = near === undefined ? "a type is imported as import type" : `did you mean ${near}?`;
  throw refuse(file, missing, `"${specifier}" exports no value "${missing.name}"; ${hint}`);
}

async function checkPath(file: SourceFile, request: ModuleRequest, specifier: string): Promise<string> {
  const path = specifier.startsWith("file:")
    ? fileURLToPath(specifier)
    : resolve(dirname(file.path), specifier);
  if (await isFile(path)) return path;
  const near = (await isFile(`${path}.ts`)) ? `; did you mean "${specifier}.ts"?` : "";
  throw refuse(file, request, `cannot import "${specifier}": there is no such file${near}`);
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** A package counts as here when a node_modules folder upwards has it; what is in it is its own affair. */
async function isOnDisk(specifier: string, folder: string): Promise<boolean> {
  const name = /^(@[\w.-]+\/)?[\w.-]+(?=\/|$)/.exec(specifier)?.[0];
  if (name === undefined) return false;
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(join(at, "node_modules", name)).catch(() => null);
    if (found?.isDirectory()) return true;
    if (dirname(at) === at) return false;
  }
}

function whyNot(specifier: string): string {
  if (specifier.startsWith("readback/")) return `the library has ${librarySpecifiers().join(", ")}`;
  if (isBuiltin(specifier)) return `a built-in module is imported as "node:${specifier}"`;
  if (/^[a-z]+:/.test(specifier)) return "a recipe loads nothing from the network";
  return "there is no such package in a node_modules folder here, and nothing is downloaded";
}

function refuse(file: SourceFile, place: Place, why: string): ReadbackError {
  const at = `${file.shown}:${place.line}:${place.column}`;
  return new ReadbackError("usage_error", `${at}: ${why}`, { details: { path: at } });
}

/** A further file as messages call it: beside the first one, as that was given. */
function shownBeside(first: SourceFile, path: string): string {
  const folder = first.shown.replace(/[^\\/]*$/, "");
  return `${folder}${relative(dirname(first.path), path)}`;
}

function isSource(path: string): boolean {
  return /\.(ts|mts|js|mjs)$/.test(path);
}

/** The library itself is not looked at again. */
function isOwn(path: string): boolean {
  return path.startsWith(fileURLToPath(new URL("../", import.meta.url).href));
}
