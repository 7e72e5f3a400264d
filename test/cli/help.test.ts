import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, test } from "node:test";
import { call } from "./_spawn.ts";

// READBACK_UPDATE_GOLDEN=1 writes the files anew.
const UPDATE = process.env["READBACK_UPDATE_GOLDEN"] === "1";

const PAGES: Readonly<Record<string, readonly string[]>> = {
  readback: [],
  recipes: ["recipes"],
  run: ["run"],
  "run-pin-gpu": ["run", "pin-gpu"],
  "run-cold-start-tune": ["run", "cold-start-tune"],
  diagnose: ["diagnose"],
  undo: ["undo"],
  history: ["history"],
  serverless: ["serverless"],
  "serverless-list": ["serverless", "list"],
  "serverless-get": ["serverless", "get"],
  "serverless-workers": ["serverless", "workers"],
  "serverless-releases": ["serverless", "releases"],
  "serverless-logs": ["serverless", "logs"],
  "serverless-update": ["serverless", "update"],
  gpus: ["gpus"],
  "serverless-health": ["serverless", "health"],
  "serverless-run": ["serverless", "run"],
  "serverless-status": ["serverless", "status"],
  "serverless-stream": ["serverless", "stream"],
  "serverless-cancel": ["serverless", "cancel"],
  "serverless-retry": ["serverless", "retry"],
  "serverless-purge": ["serverless", "purge"],
  "run-verify": ["run", "verify"],
  sandbox: ["sandbox"],
  init: ["init"],
  completions: ["completions"],
  doctor: ["doctor"],
};

describe("help", () => {
  for (const [name, words] of Object.entries(PAGES)) {
    test(`of ${["readback", ...words].join(" ")} is as in test/golden/help-${name}.txt, on stdout, exit 0`, async () => {
      const called = await call([...words, "--help"]);
      assert.equal(called.stderr, "");
      assert.equal(called.status, 0);
      const file = new URL(`../golden/help-${name}.txt`, import.meta.url);
      if (UPDATE) writeFileSync(file, called.stdout);
      assert.equal(called.stdout, readFileSync(file, "utf8"));
    });
  }

  test("comes for a bare group too, and for -h", async () => {
    for (const args of [[], ["serverless"], ["sls"], ["run", "-h"]]) {
      const called = await call(args);
      assert.equal(called.status, 0, args.join(" "));
      assert.match(called.stdout, /^Usage: readback/m);
      assert.equal(called.stderr, "");
    }
  });

  test("does not come for a flag that is unknown", async () => {
    const called = await call(["--frobnicate"]);
    assert.equal(called.status, 2);
    assert.equal(called.stdout, "");
  });
});

describe("--version", () => {
  test("prints the version of package.json and nothing else", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    assert.deepEqual(await call(["--version"]), { status: 0, stdout: `${version}\n`, stderr: "" });
  });
});
