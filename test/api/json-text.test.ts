import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compactJson, elements, isJson, jsonKind, members } from "../../lib/api/json-text.ts";

const FIDELITY = '{"seed":18446744073709551615,"f":1.0,"gpuTypeId":"x","__proto__":{"a":1}}';

describe("compactJson()", () => {
  test("gives a text without white space back itself", () => {
    assert.equal(compactJson(FIDELITY), FIDELITY);
  });

  test("drops insignificant white space and nothing else", () => {
    const pretty =
      '\r\n{ "b" : [ 1.0 , -0.0,\t1e400 ,{} , [ ] ] ,\n "2": " a  \\u0020\\" b ", "1":null, "b":"é  🚀" }\n';
    assert.equal(
      compactJson(pretty),
      '{"b":[1.0,-0.0,1e400,{},[]],"2":" a  \\u0020\\" b ","1":null,"b":"é  🚀"}',
    );
  });

  test("means the same as the text it came from, whatever that is", () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom(0, 1, 3, "\t", " \t "), (text, indent) => {
        const pretty = ` ${JSON.stringify(JSON.parse(text), null, indent)}\n`;
        assert.equal(compactJson(pretty), JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  test("takes and refuses exactly what JSON.parse takes and refuses", () => {
    const token = fc.constantFrom(
      ...'{}[],:"\\ \n09.-+eEtfnu/a',
      ...[
        "true",
        "false",
        "null",
        '"a"',
        "1",
        "-0",
        "01",
        "1.",
        ".5",
        "1e",
        "1e+5",
        "\\u12",
        '"\\u00e9"',
        '"\\x"',
      ],
      ...['{"a":1}', "[1,2]", "\u00a0", "\ufeff", "\u0001", "NaN"],
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 7 }), (tokens) => {
        assert.equal(isJson(tokens.join("")), parses(tokens.join("")), tokens.join(""));
      }),
      { numRuns: 4_000 },
    );
  });

  test("survives nesting that would end a recursion", () => {
    const depth = 1_000_000;
    assert.ok(isJson(`${"[".repeat(depth)}${"]".repeat(depth)}`));
    assert.ok(!isJson("[".repeat(depth)));
  });

  test("says what is wrong and where", () => {
    for (const [text, message] of [
      ['{\n  "a": 1,\n  b: 2\n}', '"b" at line 3, column 3, expected a key in double quotes'],
      ["[1 2]", '"2" at line 1, column 4, expected "," or "]"'],
      ['{"a":1', 'the text ends too early, expected "," or "}"'],
      ["{} x", '"x" at line 1, column 4, expected nothing more'],
      ['"a', "the text ends too early, expected the end of a string"],
      ["", "the text ends too early, expected a JSON value"],
    ] as const) {
      assert.throws(() => compactJson(text), { name: "JsonTextError", message });
    }
  });
});

describe("members() and elements()", () => {
  test("give keys as they mean and values as they are written, duplicates included", () => {
    assert.deepEqual(members(' { "\\u0061" : 1.0 , "__proto__":{ "a":1 }, "a": [ ] } '), [
      { key: "a", value: "1.0" },
      { key: "__proto__", value: '{ "a":1 }' },
      { key: "a", value: "[ ]" },
    ]);
    assert.deepEqual(elements(' [ 1.0 , {"a": 2} ] '), ["1.0", '{"a": 2}']);
    assert.deepEqual([members("{ }"), elements("[ ]")], [[], []]);
  });

  test("give null for another kind of value, and throw for what is no JSON", () => {
    assert.deepEqual([members("[1]"), elements("{}"), members("null")], [null, null, null]);
    for (const text of ["{", '{"a":1,}', '{"a":1 "b":2}', "{} {}", "[", "x", '{"a":[}']) {
      assert.throws(() => members(text), { name: "JsonTextError" }, text);
    }
    for (const text of ["[", "[1,]", "[1 2]", "[] []", "x"]) {
      assert.throws(() => elements(text), { name: "JsonTextError" }, text);
    }
  });

  test("jsonKind() names the kind", () => {
    assert.deepEqual([" {}", "[]", '""', "-1", "true", "false", "null"].map(jsonKind), [
      "object",
      "array",
      "string",
      "number",
      "boolean",
      "boolean",
      "null",
    ]);
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
