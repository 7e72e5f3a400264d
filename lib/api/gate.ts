import { ReadbackError } from "../errors.ts";
import type { Route } from "./routes.ts";

/** A change ready to be sent: its bytes are what the plan showed. */
export interface PreparedChange {
  readonly method: "PATCH" | "POST";
  readonly url: string;
  /** The exact body as text; empty where there is none. */
  readonly body: string;
  readonly route: Route;
}

declare const permitBrand: unique symbol;

/** The right to send one change once; made by a gate and of no use elsewhere. */
export interface Permit {
  readonly [permitBrand]: true;
}

/** What every change of a run passes. Its refusals are sticky: after one, the run sends nothing more. */
export interface Gate {
  /** The reason it was closed for, or null while it is open. */
  readonly closed: string | null;
  /**
   * Allows exactly this change, once. `restore` marks a planned putting back, which may go out after a refusal.
   *
   * @throws undeclared_mutation when the gate is closed
   */
  permit(change: PreparedChange, options?: { readonly restore?: boolean }): Permit;
  /**
   * Uses a permit up.
   *
   * @throws undeclared_mutation, and closes, when it is not of this gate, was used, or was given for another change
   */
  redeem(permit: Permit, change: PreparedChange): void;
  /**
   * Asks right before sending whether the change whose permit was used may still go: a wait may lie in between.
   *
   * @throws undeclared_mutation when the gate was closed meanwhile
   */
  recheck(permit: Permit): void;
  /** Closes for good; the first reason stays. */
  close(reason: string): void;
}

interface Grant {
  readonly change: string;
  readonly restore: boolean;
  used: boolean;
}

/** Makes the gate of one run, open. */
export function createGate(): Gate {
  const grants = new WeakMap<Permit, Grant>();
  let closed: string | null = null;

  function close(reason: string): void {
    closed ??= reason;
  }
  function assertOpen(restore: boolean): void {
    if (closed !== null && !restore) throw refusal(`nothing more is sent in this run: ${closed}`);
  }
  function refuse(reason: string): ReadbackError {
    close(reason);
    return refusal(reason);
  }

  return {
    get closed() {
      return closed;
    },
    permit(change, { restore = false } = {}) {
      assertOpen(restore);
      const permit = Object.freeze({}) as Permit;
      grants.set(permit, { change: identityOf(change), restore, used: false });
      return permit;
    },
    redeem(permit, change) {
      const name = `${change.method} ${change.url}`;
      const grant = grants.get(permit);
      if (grant === undefined) throw refuse(`${name} has no permit`);
      assertOpen(grant.restore);
      if (grant.used) throw refuse(`${name} was sent already under its permit`);
      if (grant.change !== identityOf(change)) throw refuse(`${name} is not what its permit was given for`);
      grant.used = true;
    },
    recheck(permit) {
      const grant = grants.get(permit);
      if (grant === undefined) throw refuse("a change has no permit");
      assertOpen(grant.restore);
    },
    close,
  };
}

/** Equal for equal bytes alone. */
function identityOf(change: PreparedChange): string {
  return JSON.stringify([change.method, change.url, change.body]);
}

function refusal(reason: string): ReadbackError {
  return new ReadbackError("undeclared_mutation", `Refused before anything was sent: ${reason}`);
}
