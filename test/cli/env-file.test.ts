import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { readEnvFile } from "../../bin/_update-env-file.ts";
import { temporaryFolder } from "./_spawn.ts";

describe("readEnvFile()", () => {
  const folder = temporaryFolder();
  after(() => folder.remove());

  async function read(text: string): Promise<Readonly<Record<string, string>>> {
    const path = join(folder.path, ".env");
    writeFileSync(path, text);
    return await readEnvFile(path);
  }

  test("reads quotes, comments, export, empty values, CRLF and a value without a line end", async () => {
    const text = [
      "# models",
      "",
      "MODEL=sdxl",
      "export NAME = spaced out  # why",
      'QUOTED="a # b"',
      "SINGLE='$HOME'",
      'LINES="one',
      'two"',
      "EMPTY=",
      "URL=https://x/?a=b",
      "LAST={{ RUNPOD_SECRET_hf }}",
    ];
    const expected = {
      MODEL: "sdxl",
      NAME: "spaced out",
      QUOTED: "a # b",
      SINGLE: "$HOME",
      LINES: "one\ntwo",
      EMPTY: "",
      URL: "https://x/?a=b",
      LAST: "{{ RUNPOD_SECRET_hf }}",
    };
    assert.deepEqual(await read(text.join("\n")), expected);
    assert.deepEqual(await read(`\uFEFF${text.join("\r\n")}\r\n`), expected);
  });

  test("refuses what a reader would leave out in silence, by its line and without its text", async () => {
    const wrong: readonly (readonly [string, RegExp])[] = [
      ["A=1\nhf_SECRET\n", /line 2 is no NAME=value/],
      ['A=1\nB="open SECRET\nC=2\n', /line 2 is no NAME=value, or a quote on it is not closed/],
      ["2A=SECRET", /line 1/],
      ['A="x" SECRET', /line 1/],
      ["A=SECRET\nA=2", /A is set more than once/],
      ["# SECRET\n", /it sets no variable/],
    ];
    for (const [text, message] of wrong) {
      await assert.rejects(read(text), (error: Error) => {
        assert.match(error.message, message);
        assert.doesNotMatch(error.message, /SECRET/);
        return true;
      });
    }
  });

  test("names a file that cannot be read", async () => {
    await assert.rejects(readEnvFile(join(folder.path, "none")), { code: "usage_error", message: /ENOENT/ });
  });
});
