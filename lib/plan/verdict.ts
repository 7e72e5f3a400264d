import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import { changedFields, type FieldChange, fieldsOf, reordered, sameValue, shown } from "./fields.ts";
import { overlay } from "./overlay.ts";
import { isWithin, writtenRoots } from "./targets.ts";

export type Verdict = "verified" | "not_applied" | "wrong_value" | "other_fields_changed" | "unverifiable";

export interface FieldCheck {
  readonly path: string;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** What fresh reads say about a change. */
export interface ReadBack {
  readonly verdict: Verdict;
  /** The fields that the change writes: what they must read like, and what they do. */
  readonly fields: readonly FieldCheck[];
  /** Fields that moved although the change does not write them. */
  readonly otherFields: readonly FieldChange[];
  /** The newest releases, where other fields moved and the releases could be read: who to ask. */
  readonly by: unknown;
  /** Fresh reads made. */
  readonly reads: number;
}

export type Judgement = Omit<ReadBack, "by" | "reads">;

/** Judges a fresh read against the read right before the change: do the targets hold, and did nothing else move? */
export function judge(before: Endpoint, body: EndpointPatch, actual: Endpoint): Judgement {
  const expected = overlay(before, body);
  const moves = changedFields(before, expected.endpoint).map((change) => change.path);
  const roots = [...writtenRoots(body), ...moves];
  const fields = checks(roots, expected.endpoint, actual).filter(
    ({ path }) => !isWithin(path, expected.unknown),
  );
  const otherFields = changedFields(before, actual).filter(
    ({ path }) => !isWithin(path, roots) && !isWithin(path, expected.unknown),
  );
  // What a template wrote, no read can tell from what somebody else wrote (runpod-api.md 2.5, rule 11).
  const provable = fields.length > 0 && body.templateId === undefined;
  return { verdict: provable ? verdictOf(fields, otherFields, before) : "unverifiable", fields, otherFields };
}

/** True when the pools hold as asked, but in another order, which may be a priority. */
export function poolsReordered(body: EndpointPatch, actual: Endpoint): boolean {
  return body.gpu?.pools !== undefined && reordered(body.gpu.pools, actual.gpu?.pools);
}

function checks(roots: readonly string[], expected: Endpoint, actual: Endpoint): readonly FieldCheck[] {
  const wanted = fieldsOf(expected);
  const found = fieldsOf(actual);
  const paths = [...new Set([...wanted.keys(), ...found.keys(), ...roots])].filter((path) =>
    isWithin(path, roots),
  );
  return paths
    .filter((path) => wanted.has(path) || found.has(path))
    .map((path) => ({
      path,
      expected: shown(path, wanted.get(path)),
      actual: shown(path, found.get(path)),
    }));
}

function verdictOf(
  fields: readonly FieldCheck[],
  otherFields: readonly FieldChange[],
  before: Endpoint,
): Verdict {
  const wrong = fields.filter(({ path, expected, actual }) => !sameValue(path, expected, actual));
  if (wrong.length === 0) return otherFields.length === 0 ? "verified" : "other_fields_changed";
  const old = fieldsOf(before);
  const meant = fields.filter(({ path, expected }) => !sameValue(path, expected, old.get(path)));
  const untouched = meant.every(({ path, actual }) => sameValue(path, actual, old.get(path)));
  return untouched && wrong.length === meant.length ? "not_applied" : "wrong_value";
}
