import assert from "node:assert/strict";
import { test } from "node:test";
import { createSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { invoke, settings, status, submit } from "../_client.ts";

async function streaming(
  input: object,
): Promise<{ sandbox: Sandbox; job: string; poll: (query?: string) => Promise<string> }> {
  const sandbox = createSandbox();
  settings(sandbox).handler = "stream";
  const job = await submit(sandbox, input);
  const poll = async (query = "") => {
    const start = sandbox.clock.now();
    const { json } = await invoke(sandbox, `GET stream/${job}${query}`);
    const words = json.stream.map(({ output }: { output: { index: number } }) => output.index);
    return `${json.status} [${words}] ${sandbox.clock.now() - start}`;
  };
  return { sandbox, job, poll };
}

test("each chunk comes once, as soon as it is there, and the last one with COMPLETED", async () => {
  const { poll } = await streaming({ chunks: 3, everyMs: 2000 });
  await poll("?wait=60000");
  const rest = [await poll(), await poll(), await poll()];
  assert.deepEqual(rest, ["IN_PROGRESS [1] 2000", "COMPLETED [2] 2000", "COMPLETED [] 0"]);
});

test("several chunks come together, and a tail ends without one", async () => {
  const { sandbox, poll } = await streaming({ chunks: 3, everyMs: 100, tailMs: 5000 });
  sandbox.clock.advance(13_000);
  assert.deepEqual([await poll(), (await poll()).slice(0, 12)], ["IN_PROGRESS [0,1,2] 0", "COMPLETED []"]);
});

test("an empty poll is held 10 s, or for its wait", async () => {
  const { sandbox, poll } = await streaming({ chunks: 1, everyMs: 60_000 });
  sandbox.clock.advance(13_000);
  assert.deepEqual([await poll(), await poll("?wait=3000")], ["IN_PROGRESS [] 10000", "IN_PROGRESS [] 3000"]);
});

test("a wait out of bounds is 400", async () => {
  const { sandbox, job } = await streaming({ chunks: 1 });
  for (const wait of ["999", "300001", "x"]) {
    assert.equal((await invoke(sandbox, `GET stream/${job}?wait=${wait}`)).status, 400);
  }
});

test("a generator's output is on status only when it aggregates", async () => {
  for (const aggregate of [false, true]) {
    const { sandbox, job } = await streaming({ chunks: 2, aggregate });
    sandbox.clock.advance(30_000);
    const { output } = await status(sandbox, job);
    assert.equal(output?.length, aggregate ? 2 : undefined);
  }
});
