/** The recipe that a new folder starts with; docs/writing-recipes.md shows the same. */
export const RECIPE = `import { arg, assertReadBack, defineRecipe, patch, readEndpoint } from "readback";

export default defineRecipe({
  name: "set-max",
  summary: "Set the maximum of an endpoint's workers",
  args: { endpoint: arg.endpoint(), max: arg.integer({ min: 1, max: 20 }) },
  mutates: ["patch:workers"],
  example: "image-generator --max 3",
  async run(ops, { endpoint, max }) {
    const before = await readEndpoint(ops, endpoint);
    await assertReadBack(ops, await patch(ops, before, { workers: { max } }));
  },
});
`;

export const RECIPE_TEST = `import assert from "node:assert/strict";
import { test } from "node:test";
import { createBench } from "readback/testing";
import setMax from "./set-max.ts";

const args = { endpoint: "image-generator", max: 3 };

test("set-max plans one change: the maximum, and nothing else", async () => {
  const { mutations } = await createBench().plan(setMax, args);
  assert.deepEqual(
    mutations.map(({ diff }) => diff),
    [[{ path: "workers.max", before: 5, after: 3 }]],
  );
});

test("set-max is applied and verified, and has nothing to do the second time", async () => {
  const bench = createBench();
  assert.equal((await bench.apply(setMax, args)).outcome, "applied");
  assert.equal((await bench.apply(setMax, args)).outcome, "unchanged");
});

test("set-max refuses a maximum that is no number, and sends nothing", async () => {
  const bench = createBench();
  await assert.rejects(bench.plan(setMax, { ...args, max: "many" }), /whole number/);
  assert.deepEqual(bench.requests(), []);
});
`;

export const README = `# Runbooks

Recipes for our Runpod Serverless endpoints, run by Readback. \`npx readback recipes\` lists them.

\`\`\`sh
npx readback run set-max image-generator --max 3 --sandbox --dry-run   # on a local stand-in for Runpod
npx readback run set-max image-generator --max 3 --dry-run             # what it would change
npx readback run set-max image-generator --max 3                       # asks, applies, reads back
node --test "recipes/**/*.test.ts"                                     # or: bun test recipes, deno test -A --no-check recipes
\`\`\`

The key is \`RUNPOD_API_KEY\`; with \`RUNPOD_READ_ONLY_API_KEY\` set, reads and dry runs use that one. On a pull request, the workflow
shows the dry run: put a read-only key into the repository secret \`RUNPOD_READ_ONLY_API_KEY\`. Without it, as in a pull request from
a fork, the dry run is of the sandbox.
`;

/** @param folder where the commands run, from the repository's root; null for the root itself */
export function workflow(folder: string | null): string {
  const place =
    folder === null
      ? ""
      : `    defaults:
      run:
        working-directory: ${JSON.stringify(folder)}
`;
  return `# Shows on a pull request what a recipe would change. It changes nothing: a dry run has no way to send a change, and the
# key may only read. A fork gets no secrets: its dry run is of the sandbox.
name: readback
on: pull_request
permissions:
  contents: read
jobs:
  dry-run:
    runs-on: ubuntu-latest
    timeout-minutes: 10
${place}    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - run: npm install
      - name: Tests
        run: node --test "recipes/**/*.test.ts"
      - name: Dry run
        shell: bash
        env:
          RUNPOD_READ_ONLY_API_KEY: \${{ secrets.RUNPOD_READ_ONLY_API_KEY }}
        run: |
          where=--sandbox
          if [ -n "$RUNPOD_READ_ONLY_API_KEY" ]; then where=; fi
          npx readback run set-max image-generator --max 3 --dry-run $where | tee -a "$GITHUB_STEP_SUMMARY"
`;
}
