import type { Endpoint } from "../api/endpoint.ts";
import { changedFields, type FieldChange } from "./fields.ts";
import type { PatchMutation } from "./mutation.ts";
import { dependencies, isWithin, writtenRoots } from "./targets.ts";

/** What moved between the plan and the read right before the change. */
export interface Drift {
  /** Fields that the change rests on: it must not be sent. */
  readonly blocking: readonly FieldChange[];
  /** Everything else: shown, and accepted. */
  readonly other: readonly FieldChange[];
}

/** Compares the endpoint that the plan expected with a fresh read. A restore rests only on the fields it writes. */
export function driftOf(mutation: PatchMutation, fresh: Endpoint): Drift {
  const { body } = mutation.request;
  const roots = [...writtenRoots(body), ...(mutation.restores === null ? dependencies(body) : [])];
  const moved = changedFields(mutation.before, fresh).filter(({ path }) => !isWithin(path, mutation.unknown));
  return {
    blocking: moved.filter(({ path }) => isWithin(path, roots)),
    other: moved.filter(({ path }) => !isWithin(path, roots)),
  };
}
