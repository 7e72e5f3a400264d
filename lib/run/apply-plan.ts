import { createChangeClient } from "../api/client.ts";
import { createGate } from "../api/gate.ts";
import { errorDocument, exitStatus, ReadbackError } from "../errors.ts";
import type { Journal } from "../history/journal.ts";
import { appliedDocument, planDocument } from "../plan/document.ts";
import type { Mutation } from "../plan/mutation.ts";
import type { Plan } from "../plan/plan.ts";
import type { AppliedMutation, Outcome, RunResult } from "../plan/result.ts";
import { type ApplyParts, applyMutation, interruptedError, skippedMutation } from "./apply-mutation.ts";
import { type ApplyContext, clientOptions } from "./context.ts";
import { record } from "./record.ts";
import { runIdOf } from "./run-id.ts";

/** How long putting back may take after an interrupt, in milliseconds. */
const RESTORE_DEADLINE_MS = 30_000;

/**
 * Applies a plan as data: its mutations in order, each as shown, each read back. It stops at the first that is not
 * verified; planned restores of what was sent still run. What became of it is in the result, which is also given when
 * something failed.
 *
 * @throws usage_error - the history cannot be written; nothing was sent
 */
export async function applyPlan(plan: Plan, context: ApplyContext): Promise<RunResult> {
  const startedMs = context.clock.now();
  const runId = runIdOf(startedMs);
  const journal = plan.mutations.length === 0 ? null : await startJournal(runId, plan, context);
  const applied = await applyAll(plan.mutations, context, journal);
  const error = errorOf(applied, context.signal);
  const outcome = outcomeOf(applied, error);
  const finished = {
    event: "finished" as const,
    outcome,
    applied: applied.map(appliedDocument),
    error: error === null ? null : errorDocument(error),
  };
  await record(finished, { journal, emit: (event) => context.onEvent?.(event) });
  await journal?.close();
  return {
    runId,
    outcome,
    plan,
    applied,
    value: plan.value,
    error: error && withUndo(error, runId, journal, applied),
    startedAt: new Date(startedMs).toISOString(),
    finishedAt: new Date(context.clock.now()).toISOString(),
    recorded: journal !== null,
  };
}

async function startJournal(runId: string, plan: Plan, context: ApplyContext): Promise<Journal | null> {
  if (context.startJournal === null) return null;
  const journal = await context.startJournal(runId);
  await journal.append({ event: "planned", plan: planDocument(plan) });
  return journal;
}

async function applyAll(
  mutations: readonly Mutation[],
  context: ApplyContext,
  journal: Journal | null,
): Promise<readonly AppliedMutation[]> {
  const gate = createGate();
  const emit = (event: Parameters<NonNullable<ApplyContext["onEvent"]>>[0]): void => context.onEvent?.(event);
  // The client has no signal: an interrupt starts nothing new, but what is in flight is seen to its end.
  const client = createChangeClient(context.target, gate, clientOptions(context, null));
  context.signal.addEventListener("abort", () => gate.close("the run was interrupted"), { once: true });
  const parts: ApplyParts = { client, gate, clock: context.clock, signal: context.signal, journal, emit };
  const applied: AppliedMutation[] = [];
  for (const mutation of mutations) {
    const stopped = applied.some((done) => done.error !== null);
    if (stopped) gate.close("an earlier change of this run is not verified");
    applied.push(await next(mutation, { parts, applied, stopped }));
  }
  return applied;
}

interface Progress {
  readonly parts: ApplyParts;
  readonly applied: readonly AppliedMutation[];
  readonly stopped: boolean;
}

async function next(mutation: Mutation, { parts, applied, stopped }: Progress): Promise<AppliedMutation> {
  const toRestore = applied.find((done) => done.mutation.n === mutation.restores);
  const wasSent = toRestore !== undefined && toRestore.status !== "skipped" && toRestore.status !== "failed";
  if (!stopped && !parts.signal.aborted) return await applyMutation(mutation, parts);
  if (!wasSent) return { ...skippedMutation(mutation), error: stopped ? null : interruptedError() };
  return await applyMutation(mutation, { ...parts, signal: AbortSignal.timeout(RESTORE_DEADLINE_MS) });
}

/** The error that decides the exit status: an interrupt first, then the gravest. */
function errorOf(applied: readonly AppliedMutation[], signal: AbortSignal): ReadbackError | null {
  const errors = applied.map((done) => done.error).filter((error) => error !== null);
  if (signal.aborted && applied.some((done) => done.status !== "applied")) return interruptedError();
  const gravest = [...errors].sort((a, b) => exitStatus(b.code) - exitStatus(a.code))[0];
  if (gravest === undefined) return null;
  const changed = applied.filter((done) => done.status === "applied");
  return changed.length > 0 && changed.length < applied.length ? partialError(applied, gravest) : gravest;
}

function partialError(applied: readonly AppliedMutation[], cause: ReadbackError): ReadbackError {
  const done = applied.filter((one) => one.status === "applied").map((one) => one.mutation.n);
  return new ReadbackError(
    "partially_applied",
    `Applied change ${done.join(", ")} of ${applied.length}, then stopped: ${cause.message}`,
    { cause, details: { ...cause.details, applied: done, stoppedBy: cause.code } },
  );
}

function outcomeOf(applied: readonly AppliedMutation[], error: ReadbackError | null): Outcome {
  if (error === null) return applied.length === 0 ? "unchanged" : "applied";
  if (error.code === "interrupted") return "interrupted";
  if (error.code === "partially_applied") return "partial";
  const status = exitStatus(error.code);
  return status === 5 ? "unverified" : status === 3 || status === 4 ? "refused" : "failed";
}

/** Where something may be in effect, the next command is its undo. */
function withUndo(
  error: ReadbackError,
  runId: string,
  journal: Journal | null,
  applied: readonly AppliedMutation[],
): ReadbackError {
  const inEffect = applied.some((done) => done.status === "applied" || done.status === "unknown");
  if (journal === null || !inEffect) return error;
  const { code, message, cause, retryable, status, details } = error;
  return new ReadbackError(code, message, {
    cause,
    retryable,
    status,
    followUp: `readback undo ${runId} --dry-run`,
    details,
  });
}
