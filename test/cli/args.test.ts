import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { ArgsDef } from "citty";
import { checkArgs, MANY } from "../../bin/_args.ts";
import { readArgs } from "../../bin/_command.ts";
import { isReadbackError } from "../../lib/errors.ts";

const DECLARED: ArgsDef = {
  endpoint: { type: "positional", description: "the endpoint" },
  gpu: { type: "string", valueHint: "GPU", required: true, description: "the GPU" },
  "min-cuda": { type: "string", description: "a version" },
  "dry-run": { type: "boolean", description: "send nothing" },
  sandbox: { type: "string", description: "a sandbox" },
};

const REFUSED: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["a misspelt flag", ["ep", "--gpu", "X", "--dryrun"], /Unknown flag --dryrun, did you mean --dry-run\?/],
  ["swapped letters", ["ep", "--gpu", "X", "--dry-rnu"], /Unknown flag --dry-rnu, did you mean --dry-run\?/],
  [
    "the beginning of a flag",
    ["ep", "--gpu", "X", "--min", "1"],
    /Unknown flag --min, did you mean --min-cuda\?/,
  ],
  ["a flag far from all", ["ep", "--gpu", "X", "--verbose"], /^Unknown flag --verbose$/],
  [
    "camelCase",
    ["ep", "--gpu", "X", "--minCuda", "12.4"],
    /Unknown flag --minCuda, did you mean --min-cuda\?/,
  ],
  ["a negated switch", ["ep", "--gpu", "X", "--no-dry-run"], /Unknown flag --no-dry-run/],
  ["a short flag", ["ep", "--gpu", "X", "-y"], /Unknown flag -y/],
  ["a bundle of short flags", ["ep", "--gpu", "X", "-xyz"], /Unknown flag -x/],
  ["a flag for a value", ["ep", "--gpu", "--dry-run"], /--gpu needs a value.*next comes --dry-run/],
  ["no value at the end", ["ep", "--gpu"], /--gpu needs a value/],
  ["an empty value", ["ep", "--gpu", ""], /The value of --gpu is empty/],
  ["an empty value after =", ["ep", "--gpu="], /The value of --gpu is empty/],
  ["a blank value", ["ep", "--gpu", "  "], /The value of --gpu is empty/],
  ["a flag given twice", ["ep", "--gpu", "X", "--gpu", "Y"], /--gpu is given more than once/],
  [
    "a switch given twice",
    ["ep", "--gpu", "X", "--dry-run", "--dry-run"],
    /--dry-run is given more than once/,
  ],
  ["a value for a switch", ["ep", "--gpu", "X", "--dry-run=false"], /--dry-run takes no value, got "false"/],
  ["a word too many", ["ep", "ep2", "--gpu", "X"], /"ep2" is one word too many/],
  [
    "a value of --sandbox after a space",
    ["ep", "--gpu", "X", "--sandbox", "cold"],
    /"cold" is one word too many/,
  ],
  ["a word too many after --", ["ep", "--gpu", "X", "--", "--dry-run"], /"--dry-run" is one word too many/],
  ["a missing word", ["--gpu", "X"], /Missing <endpoint>: the endpoint/],
  ["an empty word", ["", "--gpu", "X"], /<endpoint> is empty/],
  ["a missing required flag", ["ep"], /Missing --gpu GPU: the GPU/],
  ["a prototype's name", ["ep", "--gpu", "X", "--constructor", "1"], /Unknown flag --constructor/],
];

describe("checkArgs()", () => {
  for (const [what, argv, message] of REFUSED) {
    test(`refuses ${what}`, () => {
      assert.throws(
        () => checkArgs(argv, DECLARED, "readback run x"),
        (error) => {
          assert.ok(isReadbackError(error, "usage_error"));
          assert.match(error.message, message);
          assert.equal(error.followUp, "readback run x --help");
          return true;
        },
      );
    });
  }

  test("takes flags before and after words, with a space or =", () => {
    const argv = ["--gpu=NVIDIA L40S", "ep", "--min-cuda", "12.4", "--dry-run"];
    assert.deepEqual(checkArgs(argv, DECLARED, ""), argv);
  });

  test("takes a value that starts with - after =", () => {
    assert.deepEqual(checkArgs(["ep", "--gpu=-x"], DECLARED, ""), ["ep", "--gpu=-x"]);
  });

  test("takes a negative number as the value that it is, for the flag's own check to refuse", () => {
    assert.deepEqual(checkArgs(["ep", "--gpu", "-1"], DECLARED, ""), ["ep", "--gpu", "-1"]);
  });

  test("writes the value of a bare --sandbox out, and leaves words after -- alone", () => {
    assert.deepEqual(checkArgs(["--gpu", "X", "--sandbox", "ep"], DECLARED, ""), [
      ...["--gpu", "X", "--sandbox=healthy", "ep"],
    ]);
    assert.deepEqual(checkArgs(["--gpu", "X", "--", "--sandbox"], DECLARED, ""), [
      "--gpu",
      "X",
      "--",
      "--sandbox",
    ]);
  });

  test("takes all words that are left where a command takes many", () => {
    const many: ArgsDef = { endpoints: { type: "positional", valueHint: MANY, description: "endpoints" } };
    assert.deepEqual(checkArgs(["a", "b", "c"], many, ""), ["a", "b", "c"]);
    assert.throws(() => checkArgs([], many, ""), /Missing <endpoints…>/);
  });
});

describe("readArgs()", () => {
  test("gives the same for words alone, without a parser, as with one", async () => {
    const declared: ArgsDef = {
      endpoint: { type: "positional", description: "" },
      json: { type: "boolean", description: "" },
    };
    const plain = await readArgs(["ep"], declared, "x");
    const parsed = await readArgs(["ep", "--json"], declared, "x");
    assert.equal(plain.args["endpoint"], "ep");
    assert.deepEqual(plain.args._, parsed.args._);
    assert.equal(plain.args["json"], undefined);
    assert.equal(parsed.args["json"], true);
  });

  test("still checks words alone: too many, too few, a missing flag", async () => {
    const declared: ArgsDef = { endpoint: { type: "positional", description: "" } };
    await assert.rejects(readArgs(["a", "b"], declared, "x"), /"b" is one word too many/);
    await assert.rejects(readArgs([], declared, "x"), /Missing <endpoint>/);
    await assert.rejects(readArgs(["ep"], DECLARED, "x"), /Missing --gpu/);
  });
});
