import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertKey, keyFingerprint } from "../../lib/api/key.ts";
import { mask } from "../../lib/api/mask.ts";
import { isReadbackError } from "../../lib/errors.ts";

describe("mask()", () => {
  test("replaces every key wherever it stands", () => {
    assert.equal(mask("a rpa_ONE, rpa_TWO and rpa_ONE", ["rpa_ONE", "rpa_TWO"]), "a ***, *** and ***");
  });

  test("leaves a text alone when there is no key", () => {
    assert.equal(mask("abc", ["", "b"]), "abc");
  });
});

describe("assertKey()", () => {
  test("names the place and kind of a character that no key has, and never the key", () => {
    for (const [key, words] of [
      ["rpa_SECRET\nX", /character 11 of 12 is a line feed \(U\+000A\)/],
      ["rpa_SECRET\r", /character 11 of 11 is a carriage return/],
      ["“rpa_SECRET”", /character 1 of 12 is a curly quotation mark \(U\+201C\)/],
      ['"rpa_SECRET"', /character 1 of 12 is a quotation mark/],
      ["rpa SECRET", /character 4 of 10 is a space/],
      ["rpa_SECRETñ", /character 11 of 11 is not plain ASCII \(U\+00F1\)/],
      ["rpa_SECRET😀", /character 11 of 11 is not plain ASCII \(U\+1F600\)/],
      ["rpa_SECRET\u0001", /is a control character/],
      ["\ufeffrpa_SECRET", /character 1 of 11 is a byte order mark/],
    ] as const) {
      assert.throws(
        () => assertKey(key, "RUNPOD_API_KEY"),
        (error) =>
          isReadbackError(error, "no_credentials") &&
          words.test(error.message) &&
          !error.message.includes("SECRET"),
      );
    }
  });

  test("accepts what keys look like", () => {
    for (const key of ["rpa_ABC123", "a.b-c~d+e/f==", "sandbox:1"]) assertKey(key, "x");
  });
});

describe("keyFingerprint()", () => {
  test("is the start of the SHA-256", () => {
    assert.equal(keyFingerprint("x"), "2d711642");
  });
});
