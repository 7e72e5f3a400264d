import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  isCompleted,
  isTerminal,
  readJobFacts,
  readJobState,
  readRemoved,
  readStreamReply,
} from "../../lib/api/job-text.ts";

describe("readJobState()", () => {
  test("finds id and status at the top alone", () => {
    const text = '{"output":{"id":"inner","status":"FAILED"},"id":"j1-u1", "status" : "IN_PROGRESS"}';
    assert.deepEqual(readJobState(text), { id: "j1-u1", status: "IN_PROGRESS" });
  });

  test("gives null for what is missing, empty or no text", () => {
    assert.deepEqual(readJobState('{"id":"","status":7}'), { id: null, status: null });
    assert.deepEqual(readJobState('{"error":"endpoint not found"}'), { id: null, status: null });
  });

  test("gives null for what is no JSON object", () => {
    for (const text of ["<html>", "", "[]", '"COMPLETED"', '{"id":"j1"', "null"]) {
      assert.equal(readJobState(text), null, text);
    }
  });

  test("takes the last of duplicate keys, as other readers do", () => {
    assert.equal(readJobState('{"status":"IN_QUEUE","status":"COMPLETED"}')?.status, "COMPLETED");
  });

  test("reads keys that are escaped", () => {
    assert.equal(readJobState('{"st\\u0061tus":"FAILED"}')?.status, "FAILED");
  });
});

describe("the terminal states", () => {
  test("are four, in any case of letters", () => {
    for (const status of ["COMPLETED", "failed", "Cancelled", "TIMED_OUT"]) assert.ok(isTerminal(status));
    for (const status of ["IN_QUEUE", "IN_PROGRESS", "RUNNING", "PAUSED", "", "constructor"]) {
      assert.ok(!isTerminal(status), status);
    }
    assert.ok(isCompleted("completed") && !isCompleted("FAILED"));
  });
});

describe("readJobFacts()", () => {
  test("reads times, retries, worker and error", () => {
    const text =
      '{"id":"j","status":"FAILED","delayTime":101050,"executionTime":42078,"retries":1,"error":"job timed out after 1 retries","workerId":"w1"}';
    assert.deepEqual(readJobFacts(text), {
      delayTimeMs: 101050,
      executionTimeMs: 42078,
      retries: 1,
      workerId: "w1",
      error: "job timed out after 1 retries",
      hasOutput: false,
      outputHasError: false,
    });
  });

  test("sees an error inside the output of a COMPLETED job", () => {
    const facts = (output: string) => readJobFacts(`{"status":"COMPLETED","output":${output}}`);
    assert.equal(facts('{"error":{"msg":"node 5 failed"}}').outputHasError, true);
    for (const output of [
      '{"ok":1}',
      '{"error":null}',
      '{"error":""}',
      '{"a":{"error":1}}',
      '"error"',
      "[1]",
    ]) {
      assert.deepEqual([facts(output).outputHasError, facts(output).hasOutput], [false, true], output);
    }
    assert.equal(facts("null").hasOutput, false);
  });

  test("gives an error that is no text as it is written", () => {
    assert.equal(readJobFacts('{"error":{"n":1.0}}').error, '{"n":1.0}');
  });
});

describe("readStreamReply()", () => {
  test("reads the live shape and the bare array of the docs, entries as written", () => {
    const stream = '[{"output":{"n":1.0}},{"output":18446744073709551615}]';
    const entries = ['{"output":{"n":1.0}}', '{"output":18446744073709551615}'];
    assert.deepEqual(readStreamReply(`{"status":"COMPLETED","stream":${stream}}`), {
      status: "COMPLETED",
      entries,
    });
    assert.deepEqual(readStreamReply(stream), { status: null, entries });
    assert.deepEqual(readStreamReply('{"status":"IN_QUEUE","stream":[]}'), {
      status: "IN_QUEUE",
      entries: [],
    });
  });

  test("gives null for anything else", () => {
    for (const text of ["", "<html>", '{"error":"x"}', '{"status":"A","stream":{}}', "1"]) {
      assert.equal(readStreamReply(text), null, text);
    }
  });
});

test("readRemoved() reads how many jobs a purge removed", () => {
  assert.deepEqual(
    [readRemoved('{"removed":2,"status":"completed"}'), readRemoved("{}"), readRemoved("x")],
    [2, null, null],
  );
});
