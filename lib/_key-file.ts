import { CONFIG_FILE } from "./_folders.ts";
import type { Plane } from "./api/routes.ts";
import { ReadbackError } from "./errors.ts";

export interface KeyFile {
  readonly key?: string;
  readonly urls?: Readonly<Partial<Record<Plane, string>>>;
}

/**
 * Reads the key of other Runpod tools below a home folder; an absent file is an empty answer.
 *
 * @throws no_credentials when the file is there and cannot be read, or is no TOML
 */
export async function readKeyFile(home: string | null): Promise<KeyFile> {
  if (home === null) return {};
  const { readFile } = await import("node:fs/promises");
  const text = await readFile(`${home}/.runpod/config.toml`, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return null;
    throw unreadable(`cannot be read (${codeOf(error)})`);
  });
  return text === null ? {} : parseKeyFile(text);
}

/** Both layouts (runpod-api.md 1.4): runpodctl's top-level `apikey`, then the `[default]` table of Python and flash. */
async function parseKeyFile(text: string): Promise<KeyFile> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    const top = lowerCased(parse(text));
    const profile = lowerCased(top["default"]);
    const key = [top["apikey"], top["api_key"], profile["api_key"], profile["apikey"]].find(isFilled);
    const urls = {
      ...(isFilled(top["restv2apiurl"]) ? { control: top["restv2apiurl"] } : {}),
      ...(isFilled(top["invokeurl"]) ? { invoke: top["invokeurl"] } : {}),
    };
    return key === undefined ? {} : { key: key.trim(), urls };
  } catch (error) {
    // Its message quotes the lines around the fault, and so the key.
    const place = error instanceof TomlError ? ` (line ${error.line}, column ${error.column})` : "";
    throw unreadable(`is not valid TOML${place}`);
  }
}

function lowerCased(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return {};
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name.toLowerCase(), entry]));
}

function isFilled(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown reason";
}

function unreadable(why: string): ReadbackError {
  return new ReadbackError("no_credentials", `RUNPOD_API_KEY is not set, and ${CONFIG_FILE} ${why}`);
}
