import type { Endpoint } from "../api/endpoint.ts";
import type { AmountChange } from "./cost.ts";
import { requestDocument } from "./document.ts";
import type { Effect, EffectCode } from "./effects.ts";
import { dollars, HOURS_PER_MONTH, percentChange } from "./money.ts";
import type { Mutation } from "./mutation.ts";
import { marks, type Paint, paintedLines, plain } from "./paint.ts";
import type { NowLine, Plan } from "./plan.ts";
import { isWithin } from "./targets.ts";
import { changeText } from "./value-text.ts";

export interface PreviewOptions {
  /** @default no colour */
  readonly paint?: Paint;
  /** First 8 hex digits of the key's SHA-256. */
  readonly keyFingerprint: string;
  /** @default false */
  readonly sandbox?: boolean;
  /** Also print each request as it will be sent; values of env stay masked. @default false */
  readonly showRequests?: boolean;
}

/** What a plan would do, on one screen, always in the same order; nothing was sent. */
export function previewText(plan: Plan, options: PreviewOptions): string {
  const head = headLine(plan, options, marks);
  const blocks = plan.mutations.flatMap((mutation) => mutationLines(mutation, plan, options, marks));
  const rest =
    plan.mutations.length === 0 && plan.complete
      ? nothingToDo(plan, marks)
      : [...blocks, ...waitLines(plan, marks), totalLine(plan, marks)];
  return paintedLines([head, ...rest], options.paint ?? plain);
}

function headLine(plan: Plan, options: PreviewOptions, paint: Paint): string {
  const scopes = plan.declares.map((scope) => scope.replace(/^patch:/, "")).join(", ");
  const parts = [
    "PREVIEW, nothing sent",
    `key ${options.keyFingerprint}`,
    plan.host,
    `${plan.recipe.name} may change: ${scopes === "" ? "nothing" : scopes}`,
  ];
  const text = paint.bold(parts.join(" · "));
  return options.sandbox ? `${paint.warn("SANDBOX, not Runpod")} · ${text}` : text;
}

function mutationLines(
  mutation: Mutation,
  plan: Plan,
  options: PreviewOptions,
  paint: Paint,
): readonly string[] {
  const numbered = plan.mutations.length > 1 ? `${mutation.n}. ` : "";
  const restore = mutation.restores === null ? "" : `  puts back change ${mutation.restores}`;
  return [
    `${numbered}${subjectLine(mutation, plan, paint)}${restore}`,
    ...fieldLines(mutation, paint),
    row("Price", priceText(mutation, workersOf(mutation))),
    row("Stock", effectText(mutation, ["low_stock"], paint)),
    row("Workers", effectText(mutation, WORKER_EFFECTS, paint)),
    ...effectRows(mutation, paint),
    row("Undo", undoText(mutation, paint)),
    row("Same", sameText(mutation)),
    ...(options.showRequests ? requestLines(mutation) : []),
  ];
}

function subjectLine(mutation: Mutation, { now }: Plan, paint: Paint): string {
  if (mutation.kind === "shell") return `${paint.bold("shell")}  ${mutation.command}`;
  return `${endpointLine(mutation.before, paint)}${nowText(now.get(mutation.endpoint))}`;
}

function endpointLine({ name, id, type, workers }: Endpoint, paint: Paint): string {
  return `${paint.bold(`${name} ${id}`)}  ${type ?? "type not stated"}  min ${workers.min} max ${workers.max}`;
}

/** A health read that failed stops nothing: it says so. */
function nowText(now: NowLine | null | undefined): string {
  if (now === undefined) return "";
  if (now === null) return " · now not read";
  const { inQueue, inProgress, idle } = now;
  return ` · now ${inQueue ?? "?"} queued, ${inProgress ?? "?"} running, ${idle ?? "?"} idle`;
}

function fieldLines(mutation: Mutation, paint: Paint): readonly string[] {
  const { diff } = mutation;
  const unknown = mutation.kind === "patch" ? mutation.unknown : [];
  const width = Math.max(...diff.map(({ path }) => path.length), ...unknown.map((path) => path.length));
  return [
    ...diff.map(({ path, before, after }) => `  ${path.padEnd(width)}  ${changeText(path, before, after)}`),
    ...unknown.map(
      (path) => `  ${path.padEnd(width)}  ${paint.warn("WARN")} the service sets it; only a read will tell`,
    ),
  ];
}

function priceText({ cost }: Mutation, workers: Workers): string {
  if (cost === null) return "not affected";
  const { workerHourUsd: rate, ceilingPerHourUsd: ceiling, standingPerHourUsd: standing } = cost;
  const percent = percentChange(rate.before, rate.after);
  const parts = [
    `${arrow(rate.before, rate.after)} per worker-hour${percent === "" ? "" : ` (${percent})`}`,
    `at max ${workers.max}: ${arrow(ceiling.before, ceiling.after)}/h`,
    `standing ${standingText(standing)} (min ${workers.min})`,
  ];
  return `${parts.join("; ")} · list prices`;
}

function standingText({ before, after }: AmountChange): string {
  if (before === 0 && after === 0) return "$0";
  const month = after === null ? "unknown" : dollars(after * HOURS_PER_MONTH);
  return `${arrow(before, after)}/h, ${month} a month`;
}

/** The bounds of workers as `5`, or `5 → 9` where they change. */
interface Workers {
  readonly min: string;
  readonly max: string;
}

function workersOf({ before, diff }: Mutation): Workers {
  const bound = (key: "min" | "max"): string => {
    const change = diff.find(({ path }) => path === `workers.${key}`);
    return change ? `${change.before} → ${change.after}` : `${before?.workers[key] ?? "?"}`;
  };
  return { min: bound("min"), max: bound("max") };
}

function arrow(before: number | null, after: number | null): string {
  return before === after ? dollars(after) : `${dollars(before)} → ${dollars(after)}`;
}

const WORKER_EFFECTS: readonly EffectCode[] = ["workers_not_evicted", "rolling_release", "outage"];
/** Told by a line of their own, or by the price. */
const TOLD: readonly EffectCode[] = [...WORKER_EFFECTS, "low_stock", "no_undo", "ceiling"];

function effectText(mutation: Mutation, codes: readonly EffectCode[], paint: Paint): string {
  const found = mutation.effects.filter((effect) => codes.includes(effect.code));
  if (found.length > 0) return found.map((effect) => levelled(effect, paint)).join("; ");
  const stock = mutation.kind === "patch" ? mutation.stock : null;
  return codes.includes("low_stock") ? (stock ?? "not affected") : "not affected";
}

function effectRows(mutation: Mutation, paint: Paint): readonly string[] {
  const others = mutation.effects.filter((effect) => !TOLD.includes(effect.code));
  if (others.length === 0) return [row("Also", "none")];
  return others.map((effect, i) => row(i === 0 ? "Also" : "", levelled(effect, paint)));
}

function levelled({ level, text }: Effect, paint: Paint): string {
  return level === "warn" ? `${paint.warn("WARN")} ${text}` : text;
}

function undoText({ undo, scopes }: Mutation, paint: Paint): string {
  if (!undo.possible) return `${paint.warn("WARN")} no: ${undo.why}`;
  return `yes: puts ${scopes.map((scope) => scope.replace(/^patch:/, "")).join(", ")} back exactly`;
}

const FIRST: readonly string[] = ["workers", "scaling", "env", "image", "gpu", "cpu"];
const NOT_SETTINGS: readonly string[] = ["id", "createdAt", "requestUrls"];

/** What is not sent, and compared afterwards all the same. */
function sameText(mutation: Mutation): string {
  if (mutation.kind !== "patch") return "no setting of the endpoint is sent";
  const { before, request, unknown } = mutation;
  const fields = Object.keys(before).filter(
    (key) => !(key in request.body) && !NOT_SETTINGS.includes(key) && !isWithin(key, unknown),
  );
  const named = FIRST.filter((key) => fields.includes(key)).slice(0, 4);
  const more = fields.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""} are not sent, and are checked afterwards`;
}

function requestLines(mutation: Mutation): readonly string[] {
  const { method, url, body } = requestDocument(mutation);
  return [row("Request", `${method} ${url}`), ...(body === null ? [] : [row("", JSON.stringify(body))])];
}

/** What an apply waits for, and where the plan ends because a value is known only then. */
function waitLines({ waits, unknown }: Plan, paint: Paint): readonly string[] {
  return [
    ...waits.map(({ for: what, budgetMs, nowSatisfied }) =>
      row("Waits", `for ${what}, up to ${budgetMs / 1000} s${nowSatisfied ? " (so already)" : ""}`),
    ),
    ...(unknown === null
      ? []
      : [
          row(
            "More",
            `${paint.warn("WARN")} the plan ends here: ${unknown.text} is known only after ${unknown.step} has run${mayStill(unknown.remainingScopes)}`,
          ),
        ]),
  ];
}

function mayStill(scopes: readonly string[]): string {
  return scopes.length === 0 ? "" : `; may still change: ${scopes.join(", ")}`;
}

function totalLine({ mutations }: Plan, paint: Paint): string {
  const endpoints = new Set(mutations.map((mutation) => mutation.endpoint)).size;
  return paint.bold(`${count(mutations.length, "change")} on ${count(endpoints, "endpoint")}.`);
}

function nothingToDo(plan: Plan, paint: Paint): readonly string[] {
  return [
    ...plan.endpoints.map(({ endpoint }) => endpointLine(endpoint, paint)),
    ...waitLines(plan, paint),
    plan.declares.length === 0
      ? "Nothing to change: it only reads."
      : "Nothing to do: it already reads as asked.",
  ];
}

function count(n: number, word: string): string {
  return `${n} ${n === 1 ? word : `${word}s`}`;
}

function row(label: string, text: string): string {
  return `${label.padEnd(9)}${text}`;
}
