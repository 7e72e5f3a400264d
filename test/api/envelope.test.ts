import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkEnvelope } from "../../lib/api/body-file.ts";
import { buildEnvelope, MAX_RUN_BYTES } from "../../lib/api/envelope.ts";
import { isReadbackError } from "../../lib/errors.ts";

const FIDELITY = '{"seed":18446744073709551615,"f":1.0,"gpuTypeId":"x","__proto__":{"a":1}}';

describe("buildEnvelope()", () => {
  test("splices the input in as it is written", () => {
    const spaced = FIDELITY.replaceAll(",", " ,\n ");
    for (const input of [FIDELITY, spaced, `\ufeff${FIDELITY}`]) {
      assert.equal(buildEnvelope(input).body, `{"input":${FIDELITY}}`);
    }
    assert.equal(
      buildEnvelope('{"cfg":1.0,"z":-0.0,"e":1e400}').body,
      '{"input":{"cfg":1.0,"z":-0.0,"e":1e400}}',
    );
  });

  test("puts webhook, policy and s3Config beside the input, in milliseconds", () => {
    const made = buildEnvelope('{"a":1}', {
      webhook: "https://hooks.acme.dev/x",
      executionTimeoutMs: 900_000,
      ttlMs: 3_600_000,
      lowPriority: true,
      s3Config: '{ "bucketName": "out" }',
    });
    assert.equal(
      made.body,
      '{"input":{"a":1},"webhook":"https://hooks.acme.dev/x","policy":{"executionTimeout":900000,"ttl":3600000,"lowPriority":true},"s3Config":{"bucketName":"out"}}',
    );
    assert.deepEqual([made.warnings, made.executionTimeoutMs, made.ttlMs], [[], 900_000, 3_600_000]);
    assert.equal(made.bytes, Buffer.byteLength(made.body));
  });

  test("refuses an input that is no object, naming what it is", () => {
    for (const [input, found] of [
      ["null", "null"],
      ["[1]", "an array"],
      ["42", "a number"],
      ['"x"', "a string"],
    ] as const) {
      usage(() => buildEnvelope(input), new RegExp(`^--input must be a JSON object, and is ${found}$`));
    }
    usage(() => buildEnvelope(" \n", { source: "body.json" }), /^body\.json is empty/);
    usage(() => buildEnvelope('{"a":1', {}), /^--input is not JSON: the text ends too early/);
    usage(() => buildEnvelope('{"a":"\ud800"}'), /not valid text/);
  });

  test("says that quotes look stripped, where none is left", () => {
    usage(() => buildEnvelope("{prompt:hi,steps:4}"), /stripped.*PowerShell.*--input-file PATH.*--input -/);
    usage(
      () => buildEnvelope('{"a":hi}'),
      (message) => !message.includes("PowerShell"),
    );
  });

  test("sends an empty input and warns of what workers do with it", () => {
    const { body, warnings } = buildEnvelope("{ }");
    assert.equal(body, '{"input":{}}');
    assert.match(warnings.join(), /SDK 1\.11 refuse an empty input.*after about 100 s as timed out/);
  });

  test("names the keys that set nothing inside the input, and what sets them", () => {
    const { body, warnings } = buildEnvelope('{"input":{"p":"x"},"policy":{"ttl":60000},"webhook":"u"}');
    assert.equal(body, '{"input":{"input":{"p":"x"},"policy":{"ttl":60000},"webhook":"u"}}');
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /key "input" of its own.*policy, webhook set nothing/);
    assert.match(warnings[0] ?? "", /--execution-timeout, --ttl and --low-priority.*--webhook.*--body-file/);
    assert.match(buildEnvelope('{"input":0}').warnings.join(), /key "input"/);
    assert.match(buildEnvelope('{"s3Config":{}}').warnings.join(), /s3Config sets nothing.*--s3-config/);
    assert.deepEqual(buildEnvelope('{"prompt":{"input":1,"policy":2}}').warnings, []);
    assert.deepEqual(buildEnvelope(FIDELITY).warnings, []);
  });

  test("refuses limits out of bounds, and warns of a ttl that ends before the job may", () => {
    usage(
      () => buildEnvelope("{}", { executionTimeoutMs: 4_999 }),
      /execution timeout is 4999 ms.*5 s to 7 d/,
    );
    usage(() => buildEnvelope("{}", { ttlMs: 9_999 }), /ttl is 9999 ms.*10 s to 7 d/);
    usage(() => buildEnvelope("{}", { ttlMs: 604_800_001 }), /7 d/);
    usage(() => buildEnvelope("{}", { ttlMs: 10_000.5 }), /10000\.5/);
    const bounds = buildEnvelope('{"a":1}', { executionTimeoutMs: 5_000, ttlMs: 604_800_000 });
    assert.deepEqual(bounds.warnings, []);
    const short = buildEnvelope('{"a":1}', { executionTimeoutMs: 900_000, ttlMs: 600_000 });
    assert.match(short.warnings.join(), /may be deleted while running/);
  });

  test("refuses a webhook that is no address and an s3Config that is no object, without showing it", () => {
    for (const webhook of ["hooks.acme.dev", "ftp://x/", ""]) {
      usage(() => buildEnvelope("{}", { webhook }), /webhook/);
    }
    for (const s3Config of ['"SECRET"', '{"accessSecret":SECRET}', "{}", "[]"]) {
      usage(
        () => buildEnvelope("{}", { s3Config }),
        (message) => message.includes("s3Config") && !message.includes("SECRET"),
      );
    }
  });
});

describe("the size of a submit", () => {
  test("is measured on the bytes that will be sent: 13 MiB pretty and 9.9 MiB compact is accepted", () => {
    const compact = rows(9.9 * 1024 * 1024);
    const pretty = compact.replaceAll(",", ",\n      ");
    assert.ok(pretty.length > 13 * 1024 * 1024, `${pretty.length}`);
    assert.equal(buildEnvelope(pretty).body, `{"input":${compact}}`);
  });

  test("counts bytes and not characters", () => {
    const half = "é".repeat(5.25 * 1024 * 1024);
    usage(() => buildEnvelope(`{"a":"${half}"}`), /too large.*1101\d{4} bytes.*10485760 \(10 MiB\).*URL/);
  });

  test("may be exactly 10 MiB, the whole body counted", () => {
    const room = MAX_RUN_BYTES - '{"input":{"a":""}}'.length;
    assert.equal(buildEnvelope(`{"a":"${"x".repeat(room)}"}`).bytes, MAX_RUN_BYTES);
    usage(() => buildEnvelope(`{"a":"${"x".repeat(room + 1)}"}`), /too large/);
    usage(() => buildEnvelope(`{"a":"${"x".repeat(room)}"}`, { lowPriority: true }), /too large/);
  });

  test("is checked before the kind of the value", () => {
    usage(() => buildEnvelope(`"${"x".repeat(MAX_RUN_BYTES)}"`), /too large/);
  });
});

describe("checkEnvelope()", () => {
  test("gives a whole envelope as it is written, compact", () => {
    const made = checkEnvelope(
      `{ "policy": {"ttl": 600000, "executionTimeout":900000}, "input": ${FIDELITY} }`,
    );
    assert.equal(made.body, `{"policy":{"ttl":600000,"executionTimeout":900000},"input":${FIDELITY}}`);
    assert.deepEqual([made.executionTimeoutMs, made.ttlMs, made.warnings.length], [900_000, 600_000, 1]);
  });

  test("refuses unknown keys, and helps with a timeout beside the input", () => {
    usage(
      () => checkEnvelope('{"input":{"p":1},"timeout":60000}'),
      /"timeout".*--wait 60s.*executionTimeout/,
    );
    usage(() => checkEnvelope('{"input":{},"Policy":{}}'), /unknown envelope keys: "Policy"/);
    usage(() => checkEnvelope('{"input":{},"policy":{"timeout":1}}'), /unknown keys: timeout/);
  });

  test("refuses an envelope without an input that is an object", () => {
    usage(() => checkEnvelope('{"prompt":"x"}'), /unknown envelope keys/);
    usage(() => checkEnvelope("{}"), /has no "input"/);
    usage(() => checkEnvelope('{"input":[1]}'), /"input" in --body-file must be an object, and is array/);
    usage(() => checkEnvelope("[]"), /must be a JSON object/);
    usage(() => checkEnvelope('{"input":{},"input":{}}'), /"input" stands twice/);
  });

  test("refuses values that the service would not take", () => {
    for (const [rest, message] of [
      ['"policy":{"executionTimeout":60}', /execution timeout is 60 ms/],
      ['"policy":{"ttl":"1h"}', /ttl/],
      ['"policy":{"lowPriority":"yes"}', /true or false/],
      ['"policy":[]', /must be an object/],
      ['"webhook":"x"', /webhook/],
      ['"webhook":null', /webhook/],
      ['"s3Config":[]', /s3Config/],
    ] as const) {
      usage(() => checkEnvelope(`{"input":{},${rest}}`), message);
    }
  });

  test("knows the size limit", () => {
    usage(() => checkEnvelope(`{"input":{"a":"${"x".repeat(MAX_RUN_BYTES)}"}}`), /too large/);
  });
});

function usage(act: () => unknown, expected: RegExp | ((message: string) => boolean)): void {
  assert.throws(act, (error) => {
    assert.ok(isReadbackError(error, "usage_error"), String(error));
    if (expected instanceof RegExp) assert.match(error.message, expected);
    else assert.ok(expected(error.message), error.message);
    return true;
  });
}

/** A JSON object of about this many bytes with many commas. */
function rows(bytes: number): string {
  const row = "1234567890.125";
  return `{"rows":[${Array.from({ length: Math.floor(bytes / (row.length + 1)) - 3 }, () => row).join(",")}]}`;
}
