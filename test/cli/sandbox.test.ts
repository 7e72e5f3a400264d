import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import { call, ended, errorOf, sendSignal, start } from "./_spawn.ts";

/** Starts `readback sandbox` and waits for what it prints when it listens. */
async function listening(args: readonly string[]) {
  const child = start(["sandbox", ...args]);
  const done = ended(child);
  const text = await new Promise<string>((resolve) => {
    let seen = "";
    child.stdout?.on("data", (chunk: string) => {
      seen += chunk;
      if (seen.endsWith("\n")) resolve(seen);
    });
  });
  return { child, done, text };
}

describe("readback sandbox", () => {
  test("prints export lines that point a client at it, and ends with 0 on SIGTERM", async () => {
    const { child, done, text } = await listening([]);
    const names = text
      .trim()
      .split("\n")
      .map((line) => /^export ([A-Z_]+)=\S+$/.exec(line)?.[1]);
    assert.deepEqual(names, [
      ...["RUNPOD_API_BASE_URL", "RUNPOD_INVOKE_URL", "RUNPOD_SERVERLESS_API_URL", "RUNPOD_API_KEY"],
    ]);
    sendSignal(child, "SIGTERM");
    assert.deepEqual(await done, { status: 0, stdout: text, stderr: "" });
  });

  test("prints one JSON line with --json, serves commands, and ends with 0 on SIGINT", async () => {
    const { child, done, text } = await listening(["--json", "--speed", "60"]);
    const { url, env } = JSON.parse(text);
    assert.equal(env.RUNPOD_API_BASE_URL, url);
    const called = await call(["serverless", "get", "chat-lb"], { env });
    assert.equal(JSON.parse(called.stdout).id, "9k2w5t1r");
    const doctor = JSON.parse((await call(["doctor", "--json"], { env })).stdout);
    assert.equal(doctor.schema, "readback/doctor@1");
    assert.equal(doctor.key.source, "RUNPOD_API_KEY");
    assert.match(doctor.key.fingerprint, /^[0-9a-f]{8}$/);
    assert.deepEqual(doctor.hosts, { control: new URL(url).host, invoke: new URL(url).host });
    sendSignal(child, "SIGINT");
    assert.equal((await done).status, 0);
  });

  test("says so when the port is in use", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    try {
      const called = await call(["sandbox", "--port", String(port)]);
      assert.equal(called.status, 2);
      assert.match(
        String(errorOf(called)["error"]),
        new RegExp(`127\\.0\\.0\\.1:${port}: the port is in use`),
      );
    } finally {
      await new Promise((resolve) => other.close(resolve));
    }
  });
});

describe("readback doctor", () => {
  test("shows hosts and versions also without a key, and ends with 1", async () => {
    const called = await call(["doctor", "--json"], {});
    assert.equal(called.status, 1);
    const document = JSON.parse(called.stdout);
    assert.equal(document.key, null);
    assert.deepEqual(document.hosts, { control: "api.runpod.io", invoke: "api.runpod.ai" });
    assert.match(document.runtime, /^(Bun|Deno|Node) \d/);
    assert.equal(document.problem.code, "no_credentials");
    assert.equal(errorOf(called)["code"], "no_credentials");
  });
});
