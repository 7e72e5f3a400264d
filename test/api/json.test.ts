import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { maskEnv, parseLossless, stringifyLossless } from "../../lib/api/json.ts";

const compact = (text: string): string => JSON.stringify(parseLossless(text));

describe("parseLossless()", () => {
  test("keeps numbers as they were written", () => {
    const text = '{"seed":12345678901234567890,"cfg":1.0,"e":1e400,"neg":-0,"small":1.50,"plain":[1,-2.5]}';
    assert.equal(compact(text), text);
  });

  test("gives ordinary numbers as numbers", () => {
    assert.deepEqual(parseLossless('{"max":3,"x":0.5}'), { max: 3, x: 0.5 });
  });

  test("keeps __proto__ as a key of its own", () => {
    const text = '{"a":{"__proto__":{"b":1}},"__proto__":2}';
    assert.equal(compact(text), text);
    assert.equal(({} as { b?: number }).b, undefined);
  });

  test("throws at what is no JSON", () => {
    assert.throws(() => parseLossless("<html>"), SyntaxError);
  });
});

describe("stringifyLossless()", () => {
  test("indents by two spaces", () => {
    assert.equal(stringifyLossless(parseLossless('{"a":1.0}')), '{\n  "a": 1.0\n}');
  });
});

describe("maskEnv()", () => {
  const env =
    '{"HF_TOKEN":"hf_x","REF":"{{ RUNPOD_SECRET_hf }}","TRICK":"{{ RUNPOD_SECRET_a }}b","N":1.0,"__proto__":"p"}';
  const masked =
    '{"HF_TOKEN":"***","REF":"{{ RUNPOD_SECRET_hf }}","TRICK":"***","N":"***","__proto__":"***"}';

  test("masks values and leaves keys and references", () => {
    assert.equal(
      JSON.stringify(maskEnv(parseLossless(`{"id":"ep1","env":${env},"big":1.0}`))),
      `{"id":"ep1","env":${masked},"big":1.0}`,
    );
  });

  test("masks every endpoint of a list, and the env changes of a release", () => {
    assert.equal(
      JSON.stringify(maskEnv(parseLossless(`{"endpoints":[{"env":${env}}]}`))),
      `{"endpoints":[{"env":${masked}}]}`,
    );
    const diff = { field: "template.env", old: null, new: { A: "secret" } };
    assert.deepEqual(maskEnv([diff]), [{ field: "template.env", old: null, new: { A: "***" } }]);
    assert.deepEqual(maskEnv({ env: "A=secret" }), { env: "***" });
  });

  test("leaves the document it was given alone", () => {
    const document = { env: { A: "secret" } };
    maskEnv(document);
    assert.deepEqual(document, { env: { A: "secret" } });
  });
});
