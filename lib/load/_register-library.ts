import * as nodeModule from "node:module";

/** What a recipe file may import by name, and the module of this library that it gets. */
const LIBRARY: Readonly<Record<string, () => Promise<object>>> = {
  readback: () => import("../mod.ts"),
  "readback/sandbox": () => import("../sandbox/mod.ts"),
};

interface BunPlugins {
  plugin(plugin: {
    name: string;
    setup(build: {
      module(specifier: string, load: () => Promise<{ exports: object; loader: "object" }>): void;
    }): void;
  }): void;
}

/** True for a specifier that {@link registerLibrary} answers. */
export function isLibrary(specifier: string): boolean {
  return Object.hasOwn(LIBRARY, specifier);
}

/** The module that a specifier of the library stands for. */
export async function importLibrary(specifier: string): Promise<object> {
  return (await LIBRARY[specifier]?.()) ?? {};
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
      return isLibrary(specifier) ? { url: urlOf(specifier), shortCircuit: true } : next(specifier, context);
    },
    // Deno asks for both hooks.
    ...(inDeno ? { load: (url, context, next) => next(url, context) } : {}),
  });
}

function registerInBun(bun: BunPlugins): void {
  bun.plugin({
    name: "readback",
    setup(build) {
      for (const [specifier, load] of Object.entries(LIBRARY)) {
        build.module(specifier, async () => ({ exports: await load(), loader: "object" }));
      }
    },
  });
}

function urlOf(specifier: string): string {
  const extension = import.meta.url.endsWith(".ts") ? ".ts" : ".js";
  const file = specifier === "readback" ? "../mod" : "../sandbox/mod";
  return new URL(`${file}${extension}`, import.meta.url).href;
}
