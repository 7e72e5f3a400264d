import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rawServer, reply } from "../api/_raw-server.ts";

const SIZE = 20 * 1024 * 1024;
const TAIL = '","seed":18446744073709551615,"f":1.0},"status":"COMPLETED"}';

/** The promise is Bun's, on which the program runs; the bytes of the others are their own. */
const TIMES = "Bun" in globalThis ? 4 : 8;

test(`a 20 MB output passes a wait whole, with at most ${TIMES} times its size above the idle process`, async () => {
  const big = `{"id":"j1","output":{"a":"${"x".repeat(SIZE)}${TAIL}`;
  const server = await rawServer((arrival, socket) => {
    reply(socket, 200, arrival.path.includes("/big") ? big : '{"id":"j1","status":"COMPLETED"}');
  });
  try {
    const script = fileURLToPath(new URL("./_big-job.ts", import.meta.url));
    const flags = "Deno" in globalThis ? ["run", "-A", "--no-check"] : [];
    const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, server.url]);
    const seen = JSON.parse(stdout);
    assert.deepEqual([seen.length, seen.tail.slice(-TAIL.length)], [big.length, TAIL]);
    assert.ok(seen.peakBytes <= TIMES * SIZE, `${(seen.peakBytes / SIZE).toFixed(2)} times`);
  } finally {
    await server.close();
  }
});
