import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { call, ended, errorOf, KEY, sendSignal, start, temporaryFolder } from "./_spawn.ts";

/** Accepts requests and never answers. */
async function silentServer(): Promise<{
  env: Record<string, string>;
  asked: Promise<void>;
  close(): Promise<void>;
}> {
  let ask = (): void => {};
  const asked = new Promise<void>((resolve) => {
    ask = resolve;
  });
  const server = createServer(() => ask());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { RUNPOD_API_BASE_URL: url, RUNPOD_INVOKE_URL: url, RUNPOD_API_KEY: KEY },
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe("a signal", () => {
  for (const [signal, status] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    test(`${signal} during a call ends with ${status}, interrupted`, async () => {
      const server = await silentServer();
      try {
        const child = start(["serverless", "list"], { env: server.env });
        const done = ended(child);
        await server.asked;
        sendSignal(child, signal);
        const called = await done;
        assert.equal(called.status, status, called.stderr);
        assert.equal(errorOf(called)["code"], "interrupted");
      } finally {
        await server.close();
      }
    });
  }

  test("--timeout ends a call that gets no answer, as call_timeout", async () => {
    const server = await silentServer();
    try {
      const called = await call(["run", "pin-gpu", "ep", "--gpu", "X", "--timeout", "50ms"], {
        env: server.env,
      });
      assert.equal(called.status, 1, called.stderr);
      assert.equal(errorOf(called)["code"], "call_timeout");
    } finally {
      await server.close();
    }
  });
});

describe("a recipe that leaves something behind", () => {
  const folder = temporaryFolder();
  before(() => {
    const recipe = (body: string): string =>
      `import { defineRecipe } from "readback";\nexport default defineRecipe({ name: "left", summary: "", mutates: [], run: async () => { ${body} } });\n`;
    writeFileSync(
      join(folder.path, "stray.ts"),
      recipe(
        "Promise.reject(new Error('nobody awaits me')); await new Promise((r) => setTimeout(r, 20)); return 1;",
      ),
    );
    writeFileSync(join(folder.path, "never.ts"), recipe("await new Promise(() => {});"));
    writeFileSync(join(folder.path, "throws.ts"), recipe("throw new TypeError('on purpose');"));
    writeFileSync(join(folder.path, "nothing.ts"), recipe(""));
  });
  after(() => folder.remove());

  const run = (file: string) => call(["run", `./${file}`, "--sandbox"], { cwd: folder.path });

  test("a rejection that nobody awaits is a recipe_error, exit 1", async () => {
    const called = await run("stray.ts");
    assert.equal(called.status, 1);
    assert.equal(errorOf(called)["code"], "recipe_error");
    assert.match(called.stderr, /nobody awaits me/);
  });

  test("an await that never settles is a recipe_error, and no success", async () => {
    const called = await run("never.ts");
    assert.notEqual(called.status, 0);
    assert.equal(errorOf(called)["code"], "recipe_error");
  });

  test("a throw is a recipe_error with its text", async () => {
    const called = await run("throws.ts");
    assert.equal(called.status, 1);
    assert.match(String(errorOf(called)["error"]), /on purpose/);
  });

  test("a recipe that changes nothing and returns nothing prints null", async () => {
    assert.deepEqual(await run("nothing.ts"), { status: 0, stdout: "null\n", stderr: "" });
  });
});
