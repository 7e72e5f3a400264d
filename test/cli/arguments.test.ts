import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, countingServer, errorOf } from "./_spawn.ts";

const PIN = ["run", "pin-gpu", "ep1"];

/** Lines that mean nothing, or not what they seem to: nothing may leave the machine. */
const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
  [[...PIN, "--gpu", "X", "--dryrun"], /did you mean --dry-run\?/],
  [[...PIN, "--gpu", "X", "--dry-rnu"], /did you mean --dry-run\?/],
  [[...PIN, "surplus", "--gpu", "X"], /"surplus" is one word too many/],
  [[...PIN, "--gpu", "--dry-run"], /--gpu needs a value/],
  [[...PIN, "--gpu", "X", "--gpu", "Y"], /given more than once/],
  [[...PIN, "--gpu", ""], /The value of --gpu is empty/],
  [[...PIN, "--gpu", "X", "--yes=true"], /--yes takes no value/],
  [[...PIN, "--gpu", "X", "--no-yes"], /Unknown flag --no-yes/],
  [[...PIN, "--gpu", "X", "--min-cuda", "12"], /expected major\.minor/],
  [[...PIN, "--gpu", "X", "--timeout", "soon"], /--timeout "soon": expected a duration/],
  [[...PIN, "--gpu", "X", "--timeout", "0"], /--timeout "0": expected a duration/],
  [[...PIN, "--gpu", "X", "--sandbox=helthy"], /no scenario "helthy"; did you mean healthy\?/],
  [["run", "pin-gpu", "--gpu", "X"], /Missing <endpoint>/],
  [PIN, /Missing --gpu/],
  [["serverless", "get"], /Missing <endpoint>/],
  [["serverless", "get", "ep1", "ep2"], /"ep2" is one word too many/],
  [["serverless", "get", ".."], /is no endpoint id/],
  [["serverless", "list", "--jsno"], /did you mean --json\?/],
  [["--json", "serverless", "list"], /--json stands before the command/],
  [["sandbox", "--port", "eighty"], /--port "eighty": expected a whole number/],
  [["sandbox", "--speed", "0"], /--speed "0": expected a number/],
  [["undo", "not-a-run"], /is no run id/],
  [["history", "not-a-run"], /is no run id/],
];

describe("arguments", () => {
  let server: Awaited<ReturnType<typeof countingServer>>;
  before(async () => {
    server = await countingServer();
  });
  after(() => server.close());

  for (const [args, message] of WRONG) {
    test(`readback ${args.join(" ")} ends with 2, one line and no request`, async () => {
      const called = await call(args, { env: server.env });
      assert.equal(called.status, 2, called.stderr);
      assert.equal(called.stdout, "");
      assert.equal(called.stderr.trim().split("\n").length, 1);
      const error = errorOf(called);
      assert.equal(error["code"], "usage_error");
      assert.match(String(error["error"]), message);
      assert.deepEqual(server.arrivals, []);
    });
  }
});
