import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import type { ErrorDocument } from "../errors.ts";
import { errorDocument } from "../errors.ts";
import type { FieldChange } from "./fields.ts";
import { sameValue } from "./fields.ts";
import { endpointSecrets, maskedArgs, maskedValue, plannedSecrets } from "./hidden.ts";
import { roundUsd } from "./money.ts";
import type { Mutation } from "./mutation.ts";
import type { Plan } from "./plan.ts";
import type { AppliedMutation, RunResult } from "./result.ts";
import { secret, withoutSecrets } from "./secrets.ts";
import type { Undo } from "./undo-body.ts";
import type { FieldCheck, ReadBack } from "./verdict.ts";

/** `readback/plan@1` (docs/json.md): a plan as scripts see it. Values of `env` are in no document. */
export function planDocument(plan: Plan): Record<string, unknown> {
  const { recipe, args, declares, host, createdAt, mutations, unusedScopes, reads } = plan;
  return {
    schema: "readback/plan@1",
    recipe,
    args: maskedArgs(args, plannedSecrets(mutations)),
    declares,
    host,
    createdAt,
    endpoints: plan.endpoints.map(({ endpoint, fingerprint }) => ({
      id: endpoint.id,
      name: endpoint.name,
      fingerprint,
    })),
    mutations: mutations.map(mutationDocument),
    waits: plan.waits,
    complete: plan.complete,
    unknown: plan.unknown,
    unusedScopes,
    reads,
    totals: totalsOf(plan),
  };
}

/** `readback/result@1` (docs/json.md): what became of a plan. */
export function resultDocument(result: RunResult): Record<string, unknown> {
  return {
    schema: "readback/result@1",
    runId: result.runId,
    outcome: result.outcome,
    plan: planDocument(result.plan),
    applied: result.applied.map(appliedDocument),
    effect: null,
    value: valueDocument(result.plan, result.value),
    error: result.error === null ? null : (errorDocument(result.error) satisfies ErrorDocument),
    startedAt: result.startedAt,
    finishedAt: result.finishedAt,
  };
}

/** What a recipe returned, without the values of env that it read or would set. */
export function valueDocument({ endpoints, mutations }: Plan, value: unknown): unknown {
  const hidden = [
    ...plannedSecrets(mutations),
    ...endpointSecrets(endpoints.map(({ endpoint }) => endpoint)),
  ];
  return maskedValue(withoutSecrets(value ?? null), hidden);
}

/** What became of one mutation, as it stands in a result and in the history. */
export function appliedDocument(applied: AppliedMutation): Record<string, unknown> {
  const { mutation, status, before, readBack } = applied;
  return {
    n: mutation.n,
    status,
    before: before === null ? null : beforeDocument(mutation, before),
    readBack: readBack === null ? null : readBackDocument(readBack),
  };
}

/** What the mutation is about, from the read before: for a patch the fields it writes, which an undo needs. */
export function beforeDocument(mutation: Mutation, before: object): Record<string, unknown> {
  if (mutation.kind !== "patch")
    return Object.fromEntries(mutation.diff.map(({ path, before: was }) => [path, was]));
  const kept = Object.keys(mutation.request.body).map((key) => [
    key,
    (before as Record<string, unknown>)[key] ?? null,
  ]);
  return withoutSecrets(Object.fromEntries(kept)) as Record<string, unknown>;
}

export function readBackDocument(readBack: ReadBack): Record<string, unknown> {
  const { verdict, fields, otherFields, by, reads } = readBack;
  return { verdict, fields: fields.map(maskedCheck), otherFields: otherFields.map(maskedChange), by, reads };
}

function mutationDocument(mutation: Mutation): Record<string, unknown> {
  const { n, scopes, endpoint, summary, diff, effects, cost, undo, restores } = mutation;
  return {
    n,
    scopes,
    endpoint,
    summary,
    request: requestDocument(mutation),
    diff: diff.map(maskedChange),
    effects,
    cost,
    undo: undoDocument(undo),
    ...(restores === null ? {} : { restores }),
  };
}

function undoDocument(undo: Undo): unknown {
  return undo.possible ? { possible: true, body: undo.body } : { possible: false, why: undo.why };
}

/** A request as documents and `--show-requests` show it: values of `env` masked. */
export function requestDocument(mutation: Mutation): Record<string, unknown> {
  if (mutation.kind === "shell") return { method: "SHELL", command: mutation.command };
  const { method, url, body } = mutation.request;
  return {
    method,
    url,
    body: mutation.kind === "patch" ? maskedBody(mutation.request.body, mutation.before) : body,
  };
}

function maskedBody(body: EndpointPatch, before: Endpoint): unknown {
  if (!body.env) return body;
  const old = before.env ?? {};
  const env = Object.entries(body.env).map(([key, value]) => [key, secret(old[key] === value)]);
  return { ...body, env: Object.fromEntries(env) };
}

/** A field change with a value of `env` masked. */
export function maskedChange(change: FieldChange): FieldChange {
  const { path, before, after } = change;
  if (!path.startsWith("env.")) return change;
  const same = sameValue(path, before, after);
  return { path, before: mark(before, same), after: mark(after, same) };
}

function maskedCheck(check: FieldCheck): FieldCheck {
  const { path, expected, actual } = check;
  if (!path.startsWith("env.")) return check;
  const same = sameValue(path, expected, actual);
  return { path, expected: mark(expected, same), actual: mark(actual, same) };
}

/** An absent variable is null, so that "added" and "removed" stay visible. */
function mark(value: unknown, same: boolean): unknown {
  return value === null || value === undefined ? null : secret(same);
}

function totalsOf({ mutations }: Plan): Record<string, unknown> {
  return {
    mutations: mutations.length,
    endpoints: endpointsOf(mutations).size,
    standingPerHourUsdDelta: delta(mutations, "standingPerHourUsd"),
    ceilingPerHourUsdDelta: delta(mutations, "ceilingPerHourUsd"),
  };
}

function endpointsOf(mutations: readonly Mutation[]): ReadonlySet<string> {
  return new Set(mutations.flatMap(({ endpoint }) => (endpoint === null ? [] : [endpoint])));
}

/** The sum of what changes; null when one of the amounts is unknown. */
function delta(
  mutations: readonly Mutation[],
  key: "standingPerHourUsd" | "ceilingPerHourUsd",
): number | null {
  let sum = 0;
  for (const { cost } of mutations) {
    if (cost === null) continue;
    const { before, after } = cost[key];
    if (before === null || after === null) return null;
    sum += after - before;
  }
  return roundUsd(sum);
}
