import { ReadbackError } from "../lib/errors.ts";
import type { LoadedRecipe } from "../lib/load/loaded-recipe.ts";
import { oneLine } from "../lib/plain-text.ts";
import type { Plan } from "../lib/plan/plan.ts";
import type { RunResult } from "../lib/plan/result.ts";
import type { RunBudget, RunContext } from "../lib/run/context.ts";
import type { RunEvent } from "../lib/run/events.ts";
import { confirm, confirmTyped } from "./_confirm.ts";
import type { Connection } from "./_connect.ts";
import { printJson, printText, withOwnStdout } from "./_output.ts";
import { paintFor } from "./_paint.ts";
import { purgedNames } from "./_purged-names.ts";
import { openReport, type Report } from "./_report.ts";
import { applyWords, type RunFlags } from "./_run-flags.ts";
import { createSecrets, type Secrets } from "./_secrets.ts";
import type { Session } from "./_session.ts";
import { isTerminal } from "./_terminal.ts";

/** One call of a recipe from the command line. */
export interface RecipeCall {
  readonly loaded: LoadedRecipe;
  /** Raw values, keyed as in `recipe.args`. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly flags: RunFlags;
  readonly connection: Connection;
  /** The command line, for the text that says how to apply a dry run. */
  readonly words: readonly string[];
  /** Naming it is the consent: no preview comes before it, and nobody is asked. @default false */
  readonly atOnce?: boolean;
  /** The wait that the whole call is part of. */
  readonly budget?: RunBudget;
  /** Tells what came of it, in place of the closing text and `--json`'s document. @returns the exit status */
  readonly tell?: (result: RunResult) => Promise<number>;
  /** What the plan leaves out because it cannot be done: a dry run ends with it. @default nothing */
  readonly leftOut?: () => ReadbackError | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Plans a recipe, shows the plan, asks, applies it and tells what came of it.
 *
 * @returns the exit status
 */
export async function runRecipe(call: RecipeCall, session: Session): Promise<number> {
  if (call.flags["exit-code"] && !call.flags["dry-run"])
    throw new ReadbackError(
      "usage_error",
      "--exit-code goes with --dry-run: without it a run has its own exit status",
    );
  const { environment } = await import("../lib/config.ts");
  const env = environment();
  const report = await openReport(env);
  const { planRecipe, runReadOnly } = await import("../lib/run/plan-recipe.ts");
  const readOnly = call.loaded.recipe.mutates.length === 0;
  const dryRun = call.flags["dry-run"] === true;
  const atOnce = call.atOnce === true;
  const secrets = createSecrets(call.connection.target);
  const told = createTeller(report, { session, secrets, notesOnly: atOnce });
  const context: RunContext = {
    ...call.connection,
    signal: session.signal,
    onEvent: told.event,
    budget: call.budget,
    readsNow: !atOnce || dryRun,
  };
  const look = readOnly && !dryRun ? runReadOnly : planRecipe;
  const plan = await withOwnStdout(() => look(call.loaded, call.given, context));
  told.planned();
  secrets.learn(plan);
  // A dry run that knows what a read-only recipe returns shows that; one that would have to wait for it says so.
  const known = plan.complete && !(await holdsStandIn(plan));
  if (dryRun && (call.flags.json || !readOnly || !known))
    return await showDryRun(plan, call, { session, env });
  if (readOnly && call.tell === undefined) return await showValue(plan, secrets, { call, session, env });
  const changes = plan.mutations.length > 0 || !plan.complete;
  if (changes && !atOnce) await agree(plan, call, { session, report, env });
  const { applyPlan } = await import("../lib/run/apply-plan.ts");
  const startJournal = journalOf(call);
  const result = await withOwnStdout(() => applyPlan(plan, { ...context, startJournal }));
  if (call.tell !== undefined) return await call.tell(result);
  return await showResult(result, call, { session, env });
}

async function holdsStandIn({ value }: Plan): Promise<boolean> {
  const { holdsLater } = await import("../lib/run/later.ts");
  return holdsLater(value);
}

async function showDryRun(
  plan: Plan,
  call: RecipeCall,
  { session, env }: Omit<Asking, "report">,
): Promise<number> {
  const leftOut = call.leftOut?.() ?? null;
  if (call.flags.json) {
    const { planDocument } = await import("../lib/plan/document.ts");
    printJson(planDocument(plan));
  } else if (leftOut === null || plan.mutations.length > 0) {
    const apply = plan.mutations.length === 0 ? "" : `\nApply it: ${await applyLine(plan, call)}`;
    printText(`${await preview(plan, call, { fd: 1, env })}${apply}`);
  }
  if (leftOut !== null) return await session.report(leftOut);
  return call.flags["exit-code"] && plan.mutations.length > 0 ? 10 : 0;
}

/** The command that applies a plan; what a person typed as a secret stands there as `***`. */
async function applyLine(
  { mutations }: Plan,
  { words }: RecipeCall,
  more: readonly string[] = [],
): Promise<string> {
  const { shellLine } = await import("./_quote.ts");
  const { maskedWords, plannedSecrets } = await import("../lib/plan/hidden.ts");
  return oneLine(shellLine(maskedWords([...applyWords(words), ...more], plannedSecrets(mutations))));
}

interface Showing {
  readonly call: RecipeCall;
  readonly session: Session;
  readonly env: Environment;
}

/** What a recipe returned, without secrets; nothing is null. A diagnosis is shown as one. */
async function showValue(plan: Plan, secrets: Secrets, to: Showing): Promise<number> {
  const { valueDocument } = await import("../lib/plan/document.ts");
  const value = secrets.masked(valueDocument(plan, plan.value));
  const { isDiagnosis } = await import("../lib/diagnose/document.ts");
  if (isDiagnosis(value)) {
    const { showDiagnosis } = await import("./_diagnosis.ts");
    return await showDiagnosis(value, { json: to.call.flags.json ?? false, ...to });
  }
  printJson(value);
  return 0;
}

interface Asking {
  readonly session: Session;
  readonly report: Report;
  readonly env: Environment;
}

/** Shows what will be sent and asks, but with `--yes`. @throws not_confirmed */
async function agree(plan: Plan, call: RecipeCall, { session, report, env }: Asking): Promise<void> {
  const { yes, json } = call.flags;
  const lines = yes && json ? [] : (await preview(plan, call, { fd: 2, env })).split("\n");
  const canAsk = !yes && (await isTerminal(0)) && (await isTerminal(2));
  const last = canAsk ? lines.pop() : undefined; // the question stands on the last line
  if (lines.length > 0) report.text(lines.join("\n"));
  if (yes) return;
  if (!canAsk) throw await nobodyToAsk(plan, call);
  const { stdin, stderr } = await import("node:process");
  const asking = { input: stdin, output: stderr, signal: session.signal };
  const names = purgedNames(plan.mutations);
  if (names.length === 0) await confirm(`${last} Apply? [y/N]`, asking);
  else await confirmTyped(last ?? "", names, asking);
}

async function nobodyToAsk(plan: Plan, call: RecipeCall): Promise<ReadbackError> {
  return new ReadbackError(
    "not_confirmed",
    "Not confirmed: there is no terminal to ask on, and nothing was sent; --yes applies without asking",
    { followUp: await applyLine(plan, call, ["--yes"]) },
  );
}

async function preview(plan: Plan, call: RecipeCall, to: { fd: 1 | 2; env: Environment }): Promise<string> {
  const { previewText } = await import("../lib/plan/preview.ts");
  const { keyFingerprint } = await import("../lib/api/key.ts");
  const { target, sandbox } = call.connection;
  return previewText(plan, {
    paint: await paintFor(to.fd, to.env),
    keyFingerprint: keyFingerprint(target.key === "" ? target.readKey : target.key),
    sandbox,
    showRequests: call.flags["show-requests"] ?? false,
  });
}

/** Runs inside a sandbox of the command leave no trace. */
export function journalOf({
  connection,
}: Pick<RecipeCall, "connection">):
  | ((runId: string) => Promise<import("../lib/history/journal.ts").Journal>)
  | null {
  if (connection.sandbox) return null;
  return async (runId) => {
    const { openJournal } = await import("../lib/history/open.ts");
    const { runsFolder } = await import("./_team.ts");
    return await openJournal(await runsFolder(), runId, () => connection.clock.now());
  };
}

async function showResult(
  result: RunResult,
  call: RecipeCall,
  { session, env }: Omit<Asking, "report">,
): Promise<number> {
  if (call.flags.json) {
    const { resultDocument } = await import("../lib/plan/document.ts");
    printJson(createSecrets(call.connection.target).masked(resultDocument(result)));
  } else {
    const { closingText } = await import("../lib/plan/closing.ts");
    const { payloadOf } = await import("../lib/api/payload-error.ts");
    const closing = closingText(result, { paint: await paintFor(1, env), sandbox: call.connection.sandbox });
    // Of a job that failed, what it gave is worth as much as of one that did not.
    const payload = payloadOf(result.error);
    printText(payload === null ? closing : `${closing}\n${payload}`);
  }
  if (result.error === null) return 0;
  return await session.report(result.error);
}

interface Teller {
  readonly event: (event: RunEvent) => void;
  /** Called when the plan is made: what was told by then is not told again while it is applied. */
  planned(): void;
}

interface Telling {
  readonly session: Session;
  readonly secrets: Secrets;
  /** Tell notes alone, and not what is sent. */
  readonly notesOnly: boolean;
}

/** Tells what happens, and keeps the session up to date about what was sent and not heard of. */
function createTeller(report: Report, { session, secrets, notesOnly }: Telling): Teller {
  const planning = new Set<string>();
  let applying = false;
  return {
    planned: () => {
      applying = true;
    },
    event(event) {
      if (event.type === "read") secrets.learnOf(event.endpoint);
      if (event.type === "late") session.fail(event.error);
      if (event.type === "started") session.inFlight.run = event.runId;
      if (event.type === "sent") session.inFlight.change = `change ${event.n}`;
      if (event.type === "verified" || (event.type === "answered" && notesOnly))
        session.inFlight.change = null;
      if (event.type === "note" && !(applying && planning.has(event.text)))
        report.note(oneLine(secrets.maskedText(event.text)));
      if (event.type === "note" && !applying) planning.add(event.text);
      if (notesOnly) return;
      if (event.type === "sent")
        report.note(
          oneLine(`sending change ${event.n} to ${event.endpoint ?? "the shell"}: ${event.summary}`),
        );
      if (event.type === "answered")
        report.note(`change ${event.n} answered with HTTP ${event.status}; reading back`);
    },
  };
}
