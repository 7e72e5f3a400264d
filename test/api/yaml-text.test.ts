import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { yamlText } from "../../lib/api/yaml-text.ts";

const CASES: readonly (readonly [string, string, string])[] = [
  [
    "numbers stay as they are written",
    '{"a":18446744073709551615,"b":1.0,"c":-0.0,"d":1e400}',
    "a: 18446744073709551615\nb: 1.0\nc: -0.0\nd: 1e400\n",
  ],
  [
    "keys stay in their order, `__proto__` too",
    '{"2":1,"1":2,"__proto__":{"a":1}}',
    '"2": 1\n"1": 2\n__proto__:\n  a: 1\n',
  ],
  [
    "keys that YAML takes for something else are in quotes",
    '{"yes":1,"null":2,"a b":3,"- x":4,"":5,"#":6}',
    '"yes": 1\n"null": 2\n"a b": 3\n"- x": 4\n"": 5\n"#": 6\n',
  ],
  [
    "texts are in quotes, also those that look like something else",
    '["true","1.0","a: b","é\\n\\u00e9"]',
    '- "true"\n- "1.0"\n- "a: b"\n- "é\\né"\n',
  ],
  ["what is empty stays on its line", '{"a":{},"b":[],"c":"","d":null}', 'a: {}\nb: []\nc: ""\nd: null\n'],
  [
    "lists of lists and objects are indented below their dash",
    '{"a":[{"b":1,"c":[2,3]},[4]]}',
    "a:\n  - b: 1\n    c:\n      - 2\n      - 3\n  - - 4\n",
  ],
  ["white space of the JSON does not count", '{\n  "a" : [ 1 ,\r\n 2 ]\n}\n', "a:\n  - 1\n  - 2\n"],
  ["a scalar alone is a document", "12345678901234567890", "12345678901234567890\n"],
];

describe("yamlText()", () => {
  for (const [title, json, yaml] of CASES)
    test(title, () => {
      assert.equal(yamlText(json), yaml);
    });

  test("what is nested deeper than 64 is written as JSON, which is YAML too", () => {
    const depth = 5000;
    const text = yamlText(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
    assert.match(text, /a: \{"a":\{"a":/);
  });

  test("is read back as the same by a parser of YAML, where the runtime has one", () => {
    const { Bun } = globalThis as { Bun?: { YAML?: { parse(text: string): unknown } } };
    const value = {
      a: [{ b: "x: y\n\u0085\u2028" }, [[], {}, "no", "- 1"], null, true, 1.5],
      "k: v": { é: "😀" },
    };
    const parse = Bun?.YAML?.parse ?? (() => value);
    assert.deepEqual(parse(yamlText(JSON.stringify(value))), value);
  });
});
