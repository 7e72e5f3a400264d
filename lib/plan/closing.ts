import type { Endpoint } from "../api/endpoint.ts";
import { maskedChange } from "./document.ts";
import type { FieldChange } from "./fields.ts";
import { jobFieldLines, jobValueLines, jobWord } from "./job-closing.ts";
import type { Mutation } from "./mutation.ts";
import { marks, type Paint, paintedLines, plain } from "./paint.ts";
import { restoreCommand } from "./restore-command.ts";
import type { AppliedMutation, RunResult } from "./result.ts";
import { changeText, valueText } from "./value-text.ts";
import type { ReadBack } from "./verdict.ts";

export interface ClosingOptions {
  /** @default no colour */
  readonly paint?: Paint;
  /** @default false */
  readonly sandbox?: boolean;
}

/** What an apply ends with; it stands alone: endpoint, before and after by reads, what was compared, verdict, run id. */
export function closingText(result: RunResult, options: ClosingOptions = {}): string {
  return paintedLines(linesOf(result, options), options.paint ?? plain);
}

function linesOf(result: RunResult, options: ClosingOptions): readonly string[] {
  const paint = marks;
  return [
    ...result.applied.flatMap((done) => changeLines(done, paint)),
    ...jobValueLines(result.value),
    lastLine(result, options, paint),
  ];
}

function changeLines(done: AppliedMutation, paint: Paint): readonly string[] {
  const { mutation, before } = done;
  const subject = before ?? mutation.before;
  return [
    `${verdictWord(done, paint)}  ${subject === null ? "" : `${paint.bold(`${subject.name} ${subject.id}`)}  `}${mutation.summary}`,
    ...(isSetting(mutation) ? fieldsAndCompared(done) : jobFieldLines(done)),
    ...(done.status === "applied" ? standingLines(done, paint) : []),
    ...otherLines(done, paint),
    ...done.notes.map((note) => `  note: ${note}`),
  ];
}

function isSetting({ kind }: Mutation): boolean {
  return kind === "patch" || kind === "shell";
}

function fieldsAndCompared(done: AppliedMutation): readonly string[] {
  if (done.readBack === null) return [];
  if (done.mutation.kind === "shell")
    return done.readBack.fields.map(({ path, actual }) => `  ${path}  ${actual}`);
  return [...fieldLines(done), comparedLine(done.readBack)];
}

function verdictWord(done: AppliedMutation, paint: Paint): string {
  const { status, readBack, mutation, error } = done;
  if (readBack?.verdict === "verified") return paint.good("VERIFIED");
  if (readBack) return paint.bad(readBack.verdict.toUpperCase().replaceAll("_", " "));
  const word = isSetting(mutation) ? null : jobWord(done, paint);
  if (word !== null) return word;
  if (status === "skipped" && error === null) return "UNCHANGED";
  if (status === "unknown") return paint.bad("NOT KNOWN");
  // A change that the rate limit turned away is not in effect, and the interrupt kept it from going again.
  return paint.bad(status === "failed" && error?.code !== "interrupted" ? "REFUSED BY THE API" : "NOT SENT");
}

/** Before is from the read right before the change, after from the fresh read; neither is from the answer. */
function fieldLines({ mutation, before, after }: AppliedMutation): readonly string[] {
  const shownBefore = before ?? mutation.before;
  const paths = mutation.diff.map(({ path }) => path);
  const width = Math.max(0, ...paths.map((path) => path.length));
  return paths.map((path) => {
    const was =
      mutation.diff.find((change) => change.path === path)?.before ?? valueAt(shownBefore ?? {}, path);
    const is = after === null ? undefined : valueAt(after, path);
    const asked = mutation.diff.find((change) => change.path === path)?.after;
    const text =
      after === null
        ? `${valueText(path, was)} → not read (asked: ${valueText(path, asked)})`
        : changeText(path, was, is ?? emptyLike(was));
    return `  ${path.padEnd(width)}  ${text}`;
  });
}

/** Workers that bill without traffic are worth saying twice: before and after. */
function standingLines({ mutation }: AppliedMutation, paint: Paint): readonly string[] {
  return mutation.effects
    .filter(({ code }) => code === "standing_cost")
    .map(({ text }) => `  ${paint.warn("WARN")} ${text}`);
}

function comparedLine({ verdict, fields, reads }: ReadBack): string {
  if (fields.length === 0)
    return `  compared: nothing; none of ${reads} fresh ${reads === 1 ? "read" : "reads"} could be used`;
  const same =
    verdict === "other_fields_changed" ? "and every other field" : "and every other field of the endpoint";
  return `  compared: ${fields.map((field) => field.path).join(", ")} ${same}, in ${reads} fresh ${reads === 1 ? "read" : "reads"}`;
}

function otherLines(
  { mutation, before, readBack, movedSincePlan }: AppliedMutation,
  paint: Paint,
): readonly string[] {
  const moved = movedSincePlan.map((change) => `  moved before the change: ${fieldText(change)}`);
  if (!readBack || readBack.otherFields.length === 0) return moved;
  return [
    ...moved,
    ...readBack.otherFields.map((change) => `  ${paint.warn("WARN")} also moved: ${fieldText(change)}`),
    ...byLines(readBack.by),
    "  nothing was put back. Other ways to write these fields: a config sent again whole, a template save, a redeploy, somebody else. Read it afresh before changing more",
    ...restoreLines(mutation.kind === "patch" ? (before ?? mutation.before) : null, readBack.otherFields),
  ];
}

function restoreLines(before: Endpoint | null, moved: readonly FieldChange[]): readonly string[] {
  const command = before === null ? null : restoreCommand(before, moved);
  return command === null ? [] : [`  to put them back: ${command} --dry-run`];
}

function byLines(by: unknown): readonly string[] {
  if (!Array.isArray(by) || by.length === 0) return ["  by: the releases do not say"];
  return by.map((release: Record<string, unknown>) => {
    const { version, source, createdByUserId, createdAt } = release;
    return `  release ${version ?? "?"} ${source ?? ""} by ${createdByUserId ?? "an unnamed user"} at ${createdAt}`;
  });
}

function fieldText(change: { path: string; before: unknown; after: unknown }): string {
  const { path, before, after } = maskedChange(change);
  return `${path} ${changeText(path, before, after)}`;
}

function lastLine(result: RunResult, { sandbox = false }: ClosingOptions, paint: Paint): string {
  if (result.outcome === "unchanged") return "Nothing to do: it already reads as asked. Nothing was sent.";
  const proved = result.applied.filter((done) => done.readBack?.verdict === "verified").length;
  const where = sandbox ? " · SANDBOX, not recorded" : "";
  const undo =
    result.recorded && result.applied.some(mayBeUndone) ? ` · undo: readback undo ${result.runId}` : "";
  return paint.bold(`${proved} of ${result.applied.length} verified · run ${result.runId}${where}${undo}`);
}

function mayBeUndone({ status, mutation }: AppliedMutation): boolean {
  return (status === "applied" || status === "unknown") && mutation.undo.possible;
}

function valueAt(endpoint: object, path: string): unknown {
  return path
    .split(".")
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | null | undefined)?.[key], endpoint);
}

function emptyLike(value: unknown): unknown {
  return Array.isArray(value) ? [] : null;
}
