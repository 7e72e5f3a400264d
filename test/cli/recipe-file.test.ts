import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { recipeFolder } from "../load/_recipe-folder.ts";
import { call, errorOf, temporaryFolder } from "./_spawn.ts";

const SHOW_MAX = `import { arg, defineRecipe, readEndpoint, type Ops } from "readback";
import type { Nowhere } from "types-that-are-not-installed";
export default defineRecipe({
  name: "show-max", summary: "Show the maximum of workers", mutates: [],
  args: { endpoint: arg.endpoint(), label: arg.optional(arg.string()), loud: arg.flag() },
  run: async (ops: Ops, { endpoint, label, loud }) => ({ max: (await readEndpoint(ops, endpoint)).workers.max, label, loud }),
});
export type X = Nowhere;
`;
/** Waits for what never comes. */
const WAITS = `import { arg, defineRecipe, health, waitFor } from "readback";
export default defineRecipe({
  name: "waits", summary: "Wait", mutates: [], args: { endpoint: arg.endpoint() },
  run: async (ops, { endpoint }) => await waitFor(
    ops,
    { for: "the sky to fall", read: () => health(ops, endpoint), until: () => false },
    { budgetMs: 3000 },
  ),
});
`;
const SWALLOWS = `import { arg, defineRecipe, patch, readEndpoint } from "readback";
export default defineRecipe({
  name: "swallows", summary: "Change what it does not declare", mutates: ["patch:workers"],
  args: { endpoint: arg.endpoint() },
  run: async (ops, { endpoint }) => {
    const before = await readEndpoint(ops, endpoint);
    await patch(ops as never, before, { gpu: { pools: ["ADA_24"] } }).catch(() => {});
    await patch(ops, before, { workers: { max: 4 } }).catch(() => {});
  },
});
`;

describe("a recipe by its path", () => {
  let folder: ReturnType<typeof recipeFolder>;
  before(() => {
    folder = recipeFolder({
      "show-max.ts": SHOW_MAX,
      "swallows.ts": SWALLOWS,
      "waits.ts": WAITS,
      "bare.ts": 'import leftPad from "left-pad";\nexport default leftPad;',
    });
  });
  after(() => folder.remove());

  test("runs from any folder, with its own flags, and prints what it returned", async () => {
    const called = await call(
      ["run", "./show-max.ts", "transcriber", "--loud", "--label", "x", "--sandbox"],
      { cwd: folder.path },
    );
    assert.equal(called.status, 0, called.stderr);
    assert.deepEqual(JSON.parse(called.stdout), { max: 6, label: "x", loud: true });
  });

  test("that only reads waits for real; its dry run says what it would wait for", async () => {
    const words = ["run", "./waits.ts", "transcriber", "--sandbox"];
    const called = await call(words, { cwd: folder.path });
    assert.equal(called.status, 1, called.stdout);
    assert.equal(errorOf(called)["code"], "wait_timeout");
    assert.equal(called.stdout, "");
    const { status, stdout } = await call([...words, "--dry-run"], { cwd: folder.path });
    assert.equal(status, 0);
    assert.match(stdout, /^Waits {4}for the sky to fall, up to 3 s$/m);
  });

  test("has its own help, and strict flags", async () => {
    const help = await call(["run", "./show-max.ts", "--help"], { cwd: folder.path });
    assert.match(help.stdout, /^Usage: readback run \.\/show-max\.ts <endpoint> \[flags\]$/m);
    const wrong = await call(["run", "./show-max.ts", "ep", "--laud"], { cwd: folder.path });
    assert.match(String(errorOf(wrong)["error"]), /Unknown flag --laud, did you mean --loud\?/);
  });

  test("starts where the person stands when npm runs the script", async () => {
    const env = { INIT_CWD: folder.path, npm_lifecycle_event: "readback" };
    const called = await call(["recipes", "./show-max.ts", "--json"], { env });
    assert.equal(called.status, 0, called.stderr);
    assert.equal(JSON.parse(called.stdout).recipes[0].name, "show-max");
  });

  test("with a package that is not here is refused, and nothing is downloaded", async () => {
    const home = temporaryFolder();
    try {
      const called = await call(["run", "./bare.ts", "ep"], { cwd: folder.path, env: { HOME: home.path } });
      assert.equal(called.status, 2);
      assert.match(String(errorOf(called)["error"]), /^\.\/bare\.ts:1:1: cannot import "left-pad"/);
      const kept = readdirSync(home.path, { recursive: true }).map(String);
      assert.deepEqual(
        kept.filter((name) => name.includes("left-pad")),
        [],
      );
    } finally {
      home.remove();
    }
  });

  test("that swallows the refusal of an undeclared change is refused all the same, exit 3", async () => {
    const called = await call(["run", "./swallows.ts", "transcriber", "--yes", "--sandbox"], {
      cwd: folder.path,
    });
    assert.equal(called.status, 3, called.stderr);
    assert.equal(errorOf(called)["code"], "undeclared_mutation");
  });
});
