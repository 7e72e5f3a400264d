import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import { patchBodyProblems } from "../api/patch-schema.ts";
import { arg } from "../arg.ts";
import { ReadbackError } from "../errors.ts";
import type { AppliedRecord, MutationRecord, RunRecord } from "../history/run-record.ts";
import type { Ops } from "../ops.ts";
import { fieldsOf, sameValue } from "../plan/fields.ts";
import { defineRecipe, type Recipe } from "../recipe.ts";
import type { Scope } from "../scopes.ts";
import { patch } from "../steps/patch.ts";
import { readEndpoint } from "../steps/read-endpoint.ts";

/** An undo, ready to be planned like any recipe. */
export interface UndoRecipe {
  readonly recipe: Recipe;
  /** What `planRecipe` is given. */
  readonly given: Readonly<Record<string, unknown>>;
}

/**
 * Makes the recipe that puts back what a run changed, last change first, from the values before it.
 *
 * @param host the control plane's host: a run is undone only where it ran
 * @throws limit_exceeded (exit 3) - the run was of another host
 * @throws usage_error - nothing of it may be in effect, or something of it cannot be undone
 */
export function undoRecipe(record: RunRecord, host: string): UndoRecipe {
  if (record.plan.host !== host)
    throw new ReadbackError(
      "limit_exceeded",
      `Refused to undo run ${record.runId}: it ran on ${record.plan.host}, and this is ${host}`,
      { details: { planned: record.plan.host, found: host } },
    );
  const changes = undoable(record);
  const scopes = new Set(
    changes.flatMap(({ body }) => Object.keys(body).map((key) => `patch:${key}` as Scope)),
  );
  const recipe = defineRecipe({
    name: "undo",
    summary: `Put back what run ${record.runId} changed`,
    args: { run: arg.string(), endpoints: arg.endpoints() },
    mutates: [...scopes],
    async run(ops: Ops<Scope>) {
      for (const change of changes) await putBack(ops, change);
    },
  });
  return { recipe, given: { run: record.runId, endpoints: changes.map((change) => change.endpoint) } };
}

/** What a run did to one endpoint in all, and the one body that takes it back. */
interface UndoChange {
  readonly endpoint: string;
  readonly body: EndpointPatch;
  /** Every field that moved, from before the first change of it to after the last. */
  readonly moved: readonly MovedField[];
}

type MovedField = MutationRecord["diff"][number];

/** One change an endpoint: what a run moved and put back itself must not be moved again on the way. */
function undoable(record: RunRecord): readonly UndoChange[] {
  const inEffect = record.plan.mutations.filter((mutation) => mayBeInEffect(record.applied, mutation.n));
  if (inEffect.length === 0)
    throw new ReadbackError("usage_error", `Nothing to undo: run ${record.runId} changed nothing`);
  const reversed = inEffect.map((mutation) => ({ mutation, body: bodyOf(mutation, record.runId) }));
  const endpoints = new Set(inEffect.flatMap(({ endpoint }) => (endpoint === null ? [] : [endpoint])));
  return [...endpoints].map((endpoint) => {
    const own = reversed.filter(({ mutation }) => mutation.endpoint === endpoint);
    return {
      endpoint,
      body: own.map(({ body }) => body).reduceRight(overBy),
      moved: netMoves(own.map(({ mutation }) => mutation)),
    };
  });
}

/** The earlier change's undo wins: it holds the values from before both. */
function overBy(later: EndpointPatch, earlier: EndpointPatch): EndpointPatch {
  const gpu = { ...later.gpu, ...earlier.gpu };
  const workers = { ...later.workers, ...earlier.workers };
  return {
    ...later,
    ...earlier,
    ...(later.gpu || earlier.gpu ? { gpu } : {}),
    ...(later.workers || earlier.workers ? { workers } : {}),
  };
}

function netMoves(mutations: readonly MutationRecord[]): readonly MovedField[] {
  const moves = new Map<string, MovedField>();
  for (const { path, before, after } of mutations.flatMap((mutation) => mutation.diff))
    moves.set(path, { path, before: moves.has(path) ? moves.get(path)?.before : before, after });
  return [...moves.values()];
}

function mayBeInEffect(applied: readonly AppliedRecord[], n: number): boolean {
  const status = applied.find((done) => done.n === n)?.status;
  return status === "applied" || status === "unknown";
}

function bodyOf(mutation: MutationRecord, runId: string): EndpointPatch {
  const { undo, n } = mutation;
  if (!undo.possible)
    throw new ReadbackError(
      "usage_error",
      `Cannot undo change ${n} of run ${runId}: ${undo.why ?? "no reason recorded"}`,
    );
  const problems = patchBodyProblems(undo.body);
  if (problems.length > 0)
    throw new ReadbackError("usage_error", `Cannot undo change ${n} of run ${runId}: ${problems.join("; ")}`);
  return undo.body as EndpointPatch;
}

/** Puts one change back, but never over what somebody set since. */
async function putBack(ops: Ops<Scope>, change: UndoChange): Promise<void> {
  const now = await readEndpoint(ops, change.endpoint);
  const fields = fieldsOf(now);
  for (const { path, before, after } of change.moved) {
    const found = fields.get(path);
    if (sameValue(path, found, after) || sameValue(path, found, before)) continue;
    throw new ReadbackError("drift", movedSince(now, { path, after, found }), {
      details: { endpoint: now.id, path, planned: after, found: found ?? null },
    });
  }
  await patch(ops, now, change.body);
}

function movedSince(now: Endpoint, field: { path: string; after: unknown; found: unknown }): string {
  const { path, after, found } = field;
  return `Refused to undo on ${now.name} (${now.id}): ${path} was left at ${JSON.stringify(after)} and is ${JSON.stringify(found ?? null)} now; somebody set it since`;
}
