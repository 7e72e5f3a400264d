import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { isReadbackError } from "../../lib/errors.ts";
import { checkImports } from "../../lib/load/check-imports.ts";
import { recipeFolder } from "./_recipe-folder.ts";

/** Checks `main.ts` of these files; gives the files looked at. */
async function check(files: Readonly<Record<string, string>>, main = "main.ts"): Promise<readonly string[]> {
  const folder = recipeFolder(files);
  try {
    const found = await checkImports(join(folder.path, main), { shown: `./${main}` });
    return found.map(({ shown }) => shown);
  } finally {
    folder.remove();
  }
}

const REFUSED: readonly (readonly [string, string, string])[] = [
  ["an import", 'import x from "left-pad";', './main.ts:1:1: cannot import "left-pad"'],
  ["an import for its effects", '\nimport "left-pad";', "./main.ts:2:1: "],
  ["a scoped package", 'import "@acme/steps/deep.js";', './main.ts:1:1: cannot import "@acme/steps/deep.js"'],
  ["a re-export", 'export { x } from "left-pad";', "./main.ts:1:1: "],
  ["a re-export of all", 'export * from "left-pad";', "./main.ts:1:1: "],
  ["import() of a literal", 'const x = await import("left-pad");', "./main.ts:1:17: "],
  [
    "import() deep in a function",
    "const f = () => {\n  if (true) return import(`left-pad`);\n};",
    "./main.ts:2:20: ",
  ],
  ["require()", 'const x = require("left-pad");', "./main.ts:1:11: "],
  ["a type among values", 'import { type X } from "left-pad";', "./main.ts:1:1: "],
  ["npm:", 'import "npm:left-pad";', "a recipe loads nothing from the network"],
  ["jsr:", 'import "jsr:@std/async";', "a recipe loads nothing from the network"],
  ["https:", 'import "https://example.com/x.ts";', "a recipe loads nothing from the network"],
  ["data:", 'import "data:text/javascript,1";', "a recipe loads nothing from the network"],
  ["a built-in without node:", 'import fs from "fs";', 'a built-in module is imported as "node:fs"'],
  [
    "a computed import()",
    "const x = await import(name);",
    "./main.ts:1:17: an import must name what it loads",
  ],
  [
    "a subpath that the library has not",
    'import "readback/nope";',
    "the library has readback, readback/sandbox, readback/shell, readback/testing",
  ],
  [
    "a name that the library has not",
    'import { pinTwo } from "readback";',
    './main.ts:1:10: "readback" exports no value "pinTwo"',
  ],
  ["a near name", 'import { readEndpont } from "readback";', "did you mean readEndpoint?"],
  ["a type imported like a value", 'import { Ops } from "readback";', "a type is imported as import type"],
  [
    "a file that is not there",
    'import "./steps.ts";',
    './main.ts:1:1: cannot import "./steps.ts": there is no such file',
  ],
  ["an enum", "enum A { x }", "./main.ts:1:1: an enum is TypeScript that Node and Deno do not run"],
  [
    "a parameter property",
    "class A { constructor(private x: number) {} }",
    "a parameter property is TypeScript",
  ],
  ["broken syntax", "const a = 1;\nconst b: = 2;", "./main.ts:2:10: Unexpected token"],
];

describe("checkImports()", () => {
  for (const [what, text, message] of REFUSED) {
    test(`refuses ${what}, with its place`, async () => {
      await assert.rejects(check({ "main.ts": text }), (error) => {
        assert.ok(isReadbackError(error, "usage_error"), String(error));
        assert.ok(error.message.includes(message), error.message);
        return true;
      });
    });
  }

  test("lets the library, node: modules and imports for types alone pass", async () => {
    const text = [
      'import { arg, defineRecipe, type Ops } from "readback";',
      'import * as sandbox from "readback/sandbox";',
      'import { readFile } from "node:fs/promises";',
      'import type { X } from "left-pad";',
      'export type { Y } from "left-pad";',
      'type Z = import("left-pad").Z;',
      "declare namespace N { const a: number }",
    ].join("\n");
    assert.deepEqual(await check({ "main.ts": text }), ["./main.ts"]);
  });

  test("follows relative imports, and names the file at fault as seen from the first", async () => {
    const good = {
      "main.ts": 'import "./lib/a.ts";',
      "lib/a.ts": 'import "../b.ts"; import "./c.json" with { type: "json" };',
      "b.ts": 'import "./main.ts";',
      "lib/c.json": "{}",
    };
    assert.deepEqual(await check(good), ["./main.ts", "./lib/a.ts", "./b.ts"]);
    const bad = { ...good, "lib/a.ts": 'import "../b.ts";', "b.ts": '\nimport "left-pad";' };
    await assert.rejects(check(bad), /^ReadbackError: \.\/b\.ts:2:1: /);
  });

  test("takes a package that a node_modules folder upwards has", async () => {
    const files = {
      "ops/main.ts": 'import "left-pad/deep.js"; import "@acme/x";',
      "node_modules/left-pad/package.json": "{}",
      "node_modules/@acme/x/package.json": "{}",
    };
    assert.deepEqual(await check(files, "ops/main.ts"), ["./ops/main.ts"]);
  });
});
