import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { preparePatch } from "../../lib/api/control.ts";
import { createGate, type Permit } from "../../lib/api/gate.ts";
import { exitStatus, isReadbackError } from "../../lib/errors.ts";
import { targetAt } from "./_target.ts";

const change = preparePatch(targetAt("http://127.0.0.1:1"), "ep1", { workers: { max: 3 } });

describe("a permit", () => {
  test("is good for one change, once", () => {
    const gate = createGate();
    const permit = gate.permit(change);
    gate.redeem(permit, { ...change });
    refused(() => gate.redeem(permit, change));
  });

  test("is good for exactly its method, address and bytes", () => {
    for (const other of [
      { ...change, method: "POST" as const },
      { ...change, url: `${change.url}x` },
      { ...change, body: `${change.body} ` },
    ]) {
      const gate = createGate();
      const permit = gate.permit(change);
      refused(() => gate.redeem(permit, other));
      refused(() => gate.redeem(permit, change));
    }
  });

  test("cannot be made up, nor come from another gate", () => {
    refused(() => createGate().redeem({} as Permit, change));
    refused(() => createGate().redeem(createGate().permit(change), change));
    refused(() => createGate().recheck({} as Permit));
  });
});

describe("a closed gate", () => {
  test("refuses new permits and those given before, and keeps its first reason", () => {
    const gate = createGate();
    const permit = gate.permit(change);
    gate.close("patch:workers is not declared");
    gate.close("later");
    refused(() => gate.permit(change), /patch:workers is not declared/);
    refused(() => gate.redeem(permit, change));
    assert.equal(gate.closed, "patch:workers is not declared");
  });

  test("lets planned restores through, once each", () => {
    const gate = createGate();
    const before = gate.permit(change, { restore: true });
    gate.close("refused");
    gate.redeem(before, change);
    gate.recheck(before);
    gate.redeem(gate.permit(change, { restore: true }), change);
    refused(() => gate.redeem(before, change));
  });

  test("is closed by a permit that does not fit", () => {
    const gate = createGate();
    refused(() => gate.redeem({} as Permit, change));
    refused(() => gate.permit(change), /has no permit/);
  });
});

function refused(act: () => void, text = /^Refused before anything was sent/): void {
  assert.throws(act, (error) => {
    assert.ok(isReadbackError(error, "undeclared_mutation"));
    assert.match(error.message, text);
    return exitStatus(error.code) === 3;
  });
}
