import type { RunRecord } from "./run-record.ts";

/** `readback/history@1` (docs/json.md): the recorded runs, newest first. */
export function historyDocument(runs: readonly RunRecord[]): Record<string, unknown> {
  return { schema: "readback/history@1", runs: runs.map(entryOf) };
}

function entryOf(run: RunRecord): Record<string, unknown> {
  return {
    runId: run.runId,
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    outcome: run.outcome,
    recipe: run.plan.recipe.name,
    source: run.plan.recipe.source,
    host: run.plan.host,
    endpoints: run.plan.endpoints.map(({ id, name }) => ({ id, name })),
    mutations: run.plan.mutations.map(({ n, endpoint, summary }) => ({
      n,
      endpoint,
      summary,
      status: run.applied.find((done) => done.n === n)?.status ?? "skipped",
    })),
    error: run.error,
  };
}
