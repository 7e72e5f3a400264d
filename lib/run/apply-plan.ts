import { createChangeClient } from "../api/client.ts";
import { createGate } from "../api/gate.ts";
import { errorDocument, ReadbackError } from "../errors.ts";
import type { Journal } from "../history/journal.ts";
import { appliedDocument, planDocument } from "../plan/document.ts";
import type { RunResult } from "../plan/result.ts";
import { type Applier, createApplier } from "./applier.ts";
import { type ApplyContext, clientOptions } from "./context.ts";
import { errorOf, outcomeOf } from "./outcome.ts";
import { createCancelPace } from "./pace.ts";
import type { RecipePlan } from "./recipe-plan.ts";
import { type Recorder, record } from "./record.ts";
import { rerunRecipe } from "./rerun-recipe.ts";
import { runIdOf } from "./run-id.ts";
import { type ApplyParts, asReadbackError } from "./send-change.ts";

/**
 * Applies a plan. A complete plan without waits, whose value is known, is applied as data: its mutations in order, each as shown, each read
 * back. Any other runs its recipe again with the plan as constraint. It stops at the first change that is not verified;
 * planned restores of what was sent still run. What became of it is in the result, also when something failed.
 *
 * @throws usage_error - the history cannot be written; nothing was sent
 */
export async function applyPlan(plan: RecipePlan, context: ApplyContext): Promise<RunResult> {
  const startedMs = context.clock.now();
  const runId = runIdOf(startedMs);
  const changes = plan.mutations.length > 0 || !plan.complete;
  const journal = changes ? await startJournal(runId, plan, context) : null;
  if (journal) context.onEvent?.({ type: "started", runId });
  const recorder: Recorder = { journal, emit: (event) => context.onEvent?.(event) };
  const applier = createApplier(partsOf(context, recorder));
  const ended = await runChanges(plan, context, applier);
  await applier.finish(plan.mutations);
  const { applied } = applier;
  const error = errorOf(applied, ended.error, context.signal);
  const outcome = outcomeOf(applied, error);
  await record(finishedEvent(outcome, applier, error), recorder);
  await journal?.close();
  return {
    runId,
    outcome,
    plan,
    applied,
    value: ended.value,
    error: error && withUndo(error, runId, journal, applier),
    startedAt: new Date(startedMs).toISOString(),
    finishedAt: new Date(context.clock.now()).toISOString(),
    recorded: journal !== null,
  };
}

interface Ended {
  readonly value: unknown;
  readonly error: ReadbackError | null;
}

async function runChanges(plan: RecipePlan, context: ApplyContext, applier: Applier): Promise<Ended> {
  try {
    // What the recipe returns can be known only by running it.
    if (plan.runsAgain) return { value: await rerunRecipe(plan, context, applier), error: null };
    for (const mutation of plan.mutations) {
      const { error } = await applier.apply(mutation);
      // Cancels do not stop each other; the applier knows when they must.
      if (error && mutation.kind !== "cancel") break;
    }
    return { value: plan.value, error: null };
  } catch (thrown) {
    return { value: null, error: asReadbackError(thrown) };
  }
}

function partsOf(context: ApplyContext, recorder: Recorder): ApplyParts {
  const gate = createGate();
  // The client has no signal: an interrupt must not end the change in flight, nor the reads that prove it.
  const client = createChangeClient(context.target, gate, clientOptions(context, null));
  const { clock, signal, cancelReadMs } = context;
  return { client, gate, clock, signal, cancelReadMs, cancelPace: createCancelPace(clock), ...recorder };
}

async function startJournal(runId: string, plan: RecipePlan, context: ApplyContext): Promise<Journal | null> {
  if (context.startJournal === null) return null;
  const journal = await context.startJournal(runId);
  await journal.append({ event: "planned", plan: planDocument(plan) });
  return journal;
}

function finishedEvent(outcome: string, { applied }: Applier, error: ReadbackError | null) {
  const document = error === null ? null : errorDocument(error);
  return { event: "finished", outcome, applied: applied.map(appliedDocument), error: document } as const;
}

/** Where something may be in effect that can be undone, the next command is its undo, unless the error knows a better one. */
function withUndo(
  error: ReadbackError,
  runId: string,
  journal: Journal | null,
  { applied }: Applier,
): ReadbackError {
  const inEffect = applied.some(
    (done) => (done.status === "applied" || done.status === "unknown") && done.mutation.undo.possible,
  );
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
