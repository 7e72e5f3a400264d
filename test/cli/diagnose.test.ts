import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { benchOf, ID, type World } from "../diagnose/_world.ts";
import { call, errorOf, KEY } from "./_spawn.ts";

interface ServedWorld {
  readonly env: Record<string, string>;
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** A world on a loopback port, for the real program. */
async function serveWorld(given: Partial<World>): Promise<ServedWorld> {
  const { context, requests } = benchOf({ title: "", expect: {}, ...given });
  const server: Server = createServer(async (request, response) => {
    const answer = await context.fetch?.(
      new Request(`http://world.test${request.url}`, { method: request.method ?? "GET" }),
    );
    response.writeHead(answer?.status ?? 500, { "content-type": "application/json" });
    response.end(await answer?.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { RUNPOD_API_BASE_URL: url, RUNPOD_INVOKE_URL: `${url}/invoke`, RUNPOD_API_KEY: KEY },
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe("readback diagnose", () => {
  let healthy: ServedWorld;
  let unread: ServedWorld;
  let refused: ServedWorld;
  before(async () => {
    healthy = await serveWorld({});
    unread = await serveWorld({
      health: [{ workers: { unhealthy: 1 } }],
      workers: [{ id: "w1", status: "UNHEALTHY" }],
      logs: { w1: { status: 403 } },
    });
    refused = await serveWorld({ workers: { status: 403 } });
  });
  after(async () => {
    await Promise.all([healthy, unread, refused].map((world) => world.close()));
  });

  test("prints the document alone under --json, as `readback run diagnose --json` does, with three GETs", async () => {
    const short = await call(["diagnose", ID, "--json"], { env: healthy.env });
    assert.equal(short.status, 0, short.stderr);
    assert.equal(healthy.requests.length, 3);
    const long = await call(["run", "diagnose", ID, "--json"], { env: healthy.env });
    assert.equal(long.status, 0, long.stderr);
    const untimed = (text: string): unknown => JSON.parse(text.replace(/"at": "[^"]+"/g, '"at": ""'));
    assert.deepEqual(untimed(short.stdout), untimed(long.stdout));
    const document = JSON.parse(short.stdout);
    assert.deepEqual(Object.keys(document), [
      ...["schema", "endpoint", "verdict", "findings", "ruledOut", "reads", "unsettled", "queue", "workers"],
    ]);
    assert.equal(document.schema, "readback/diagnosis@1");
    assert.equal(document.verdict, "healthy");
  });

  test("prints one screen without --json", async () => {
    const { status, stdout } = await call(["diagnose", ID], { env: healthy.env });
    assert.equal(status, 0);
    assert.match(stdout, /^HEALTHY {2}img 4m7x2k9q {2}QUEUE\nQueue /);
  });

  test("ends with exit 1 and an error beside the document, where a log that decides cannot be read", async () => {
    const called = await call(["diagnose", ID, "--json"], { env: unread.env });
    assert.equal(called.status, 1);
    assert.equal(JSON.parse(called.stdout).verdict, "unclear");
    assert.equal(errorOf(called)["code"], "forbidden");
    assert.equal(errorOf(called)["followUp"], `readback serverless logs ${ID} --worker w1`);
  });

  test("ends with exit 1 and no document, where the workers cannot be read", async () => {
    const called = await call(["diagnose", ID, "--json"], { env: refused.env });
    assert.equal(called.status, 1);
    assert.equal(called.stdout, "");
    assert.match(String(errorOf(called)["error"]), /workers: HTTP 403/);
  });

  test("refuses a symptom and a flag that there is none of, before it asks anything", async () => {
    const before = healthy.requests.length;
    for (const flag of ["--symptom=slow", "--dry-run", "--probe"]) {
      const called = await call(["diagnose", ID, flag], { env: healthy.env });
      assert.equal(called.status, 2, flag);
    }
    assert.equal(healthy.requests.length, before);
  });
});
