import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { JsonText, membersOf, writeJson } from "../../lib/sandbox/json-text.ts";

test("members keep the text they came as", () => {
  const members = membersOf(
    ' { "a" : 1.0 , "__proto__":{"x":"},\\"" } ,"n":-0.0,"b":[ 1,{"c":"]"} ],"a":18446744073709551615} ',
  );
  assert.deepEqual(
    [...(members ?? [])],
    [
      ["a", "18446744073709551615"],
      ["__proto__", '{"x":"},\\"" }'],
      ["n", "-0.0"],
      ["b", '[ 1,{"c":"]"} ]'],
    ],
  );
});

test("what is no JSON object has no members", () => {
  for (const text of ["", "{", "[1]", "1", "null", '"{}"', '{"a":1}x'])
    assert.equal(membersOf(text), null, text);
  assert.equal(membersOf("{}")?.size, 0);
});

test("every member parses to the value it has in the whole", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom(undefined, 2),
      (value, indent) => {
        const members = membersOf(JSON.stringify(value, null, indent)) ?? new Map();
        const parsed = Object.fromEntries([...members].map(([key, text]) => [key, JSON.parse(text)]));
        assert.equal(JSON.stringify(parsed), JSON.stringify(JSON.parse(JSON.stringify(value))));
      },
    ),
    { numRuns: 500, seed: 5 },
  );
});

test("a document is written as JSON.stringify writes it, with raw texts as they are", () => {
  const plain = { a: [1, "x", null, { b: true }], skipped: undefined, "ü\n": 0 };
  assert.equal(writeJson(plain), JSON.stringify(plain));
  assert.equal(
    writeJson({ output: new JsonText('{"f":1.0}'), list: [new JsonText("1e400")] }),
    '{"output":{"f":1.0},"list":[1e400]}',
  );
});
