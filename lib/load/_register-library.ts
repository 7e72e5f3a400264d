import * as nodeModule from "node:module";

/** What a recipe file may import by name: the module of this library that it gets, and where its file is. */
const LIBRARY: Readonly<Record<string, { readonly load: () => Promise<object>; readonly path: string }>> = {
  readback: { load: () => import("../mod.ts"), path: "../mod" },
  "readback/sandbox": { load: () => import("../sandbox/mod.ts"), path: "../sandbox/mod" },
  "readback/shell": { load: () => import("../shell.ts"), path: "../shell" },
  "readback/testing": { load: () => import("../testing/mod.ts"), path: "../testing/mod" },
};

interface BunPlugins {
  plugin(plugin: {
    name: string;
    setup(build: {
      module(specifier: string, load: () => Promise<{ exports: object; loader: "object" }>): void;
    }): void;
  }): void;
}

/** The specifiers that {@link registerLibrary} answers. */
export function librarySpecifiers(): readonly string[] {
  return Object.keys(LIBRARY);
}

/** True for a specifier that {@link registerLibrary} answers. */
export function isLibrary(specifier: string): boolean {
  return Object.hasOwn(LIBRARY, specifier);
}

/** The module that a specifier of the library stands for. */
export async function importLibrary(specifier: string): Promise<object> {
  return (await LIBRARY[specifier]?.load()) ?? {};
}

/**
 * Lets a recipe file in any folder import this library as `readback`, the very modules that are running: Bun by a
 * plugin, Node and Deno by a resolve hook.
 */
export function registerLibrary(): void {
  const { Bun, Deno } = globalThis as { Bun?: BunPlugins; Deno?: unknown };
  if (Bun !== undefined) registerInBun(Bun);
  else registerHooks(Deno !== undefined);
}

function registerHooks(inDeno: boolean): void {
  nodeModule.registerHooks({
    resolve(specifier, context, next) {
      const url = urlOf(specifier);
      return url === null ? next(specifier, context) : { url, shortCircuit: true };
    },
    // Deno asks for both hooks.
    ...(inDeno ? { load: (url, context, next) => next(url, context) } : {}),
  });
}

function registerInBun(bun: BunPlugins): void {
  bun.plugin({
    name: "readback",
    setup(build) {
      for (const [specifier, { load }] of Object.entries(LIBRARY)) {
        build.module(specifier, async () => ({ exports: await load(), loader: "object" }));
      }
    },
  });
}

function urlOf(specifier: string): string | null {
  const path = isLibrary(specifier) ? LIBRARY[specifier]?.path : undefined;
  if (path === undefined) return null;
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  return new URL(`${path}${extension}`, import.meta.url).href;
}
