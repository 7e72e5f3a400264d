// Loaded before the program: writes down each module file that is loaded after it, one a line.
import { appendFileSync, readFileSync } from "node:fs";
import * as nodeModule from "node:module";
import { fileURLToPath } from "node:url";

interface BunPlugins {
  plugin(plugin: {
    name: string;
    setup(build: {
      onLoad(
        filter: { filter: RegExp },
        load: (file: { path: string }) => { contents: string; loader: string },
      ): void;
    }): void;
  }): void;
}

const list = process.env["READBACK_TEST_MODULES"] ?? "";
const note = (path: string): void => appendFileSync(list, `${path}\n`);
const { Bun } = globalThis as { Bun?: BunPlugins };

if (Bun !== undefined)
  Bun.plugin({
    name: "list-modules",
    setup: (build) =>
      build.onLoad({ filter: /\.(ts|js|mjs)$/ }, ({ path }) => {
        note(path);
        return { contents: readFileSync(path, "utf8"), loader: path.endsWith(".ts") ? "ts" : "js" };
      }),
  });
else
  nodeModule.registerHooks({
    resolve: (specifier, context, next) => next(specifier, context),
    load(url, context, next) {
      if (url.startsWith("file:")) note(fileURLToPath(url));
      return next(url, context);
    },
  });
