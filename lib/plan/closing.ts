import { maskedChange } from "./document.ts";
import { jobFieldLines, jobValueLines, jobWord } from "./job-closing.ts";
import { type Paint, plain } from "./paint.ts";
import type { AppliedMutation, RunResult } from "./result.ts";
import { changeText } from "./value-text.ts";
import type { ReadBack } from "./verdict.ts";

export interface ClosingOptions {
  /** @default no colour */
  readonly paint?: Paint;
  /** @default false */
  readonly sandbox?: boolean;
}

/** What an apply ends with; it stands alone: endpoint, before and after by reads, what was compared, verdict, run id. */
export function closingText(result: RunResult, options: ClosingOptions = {}): string {
  const paint = options.paint ?? plain;
  return [
    ...result.applied.flatMap((done) => changeLines(done, paint)),
    ...jobValueLines(result.value),
    lastLine(result, options, paint),
  ].join("\n");
}

function changeLines(done: AppliedMutation, paint: Paint): readonly string[] {
  const { mutation, before } = done;
  const subject = before ?? mutation.before;
  return [
    `${verdictWord(done, paint)}  ${subject === null ? "" : `${paint.bold(`${subject.name} ${subject.id}`)}  `}${mutation.summary}`,
    ...(mutation.kind === "patch" || mutation.kind === "shell"
      ? fieldsAndCompared(done)
      : jobFieldLines(done)),
    ...otherLines(done, paint),
    ...done.notes.map((note) => `  note: ${note}`),
  ];
}

function fieldsAndCompared(done: AppliedMutation): readonly string[] {
  return done.readBack === null ? [] : [...fieldLines(done), comparedLine(done.readBack)];
}

function verdictWord(done: AppliedMutation, paint: Paint): string {
  const { status, readBack, mutation } = done;
  if (readBack?.verdict === "verified") return paint.good("VERIFIED");
  if (readBack) return paint.bad(readBack.verdict.toUpperCase().replaceAll("_", " "));
  const word = mutation.kind === "patch" || mutation.kind === "shell" ? null : jobWord(done, paint);
  if (word !== null) return word;
  return paint.bad(status === "failed" ? "REFUSED BY THE API" : "NOT SENT");
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
    const text =
      after === null
        ? `${changeText(path, was, was)} (no fresh read)`
        : changeText(path, was, is ?? emptyLike(was));
    return `  ${path.padEnd(width)}  ${text}`;
  });
}

function comparedLine({ verdict, fields, reads }: ReadBack): string {
  const same =
    verdict === "other_fields_changed" ? "and every other field" : "and every other field of the endpoint";
  return `  compared: ${fields.map((field) => field.path).join(", ")} ${same}, in ${reads} fresh ${reads === 1 ? "read" : "reads"}`;
}

function otherLines({ readBack, movedSincePlan }: AppliedMutation, paint: Paint): readonly string[] {
  const moved = movedSincePlan.map((change) => `  moved before the change: ${fieldText(change)}`);
  if (!readBack || readBack.otherFields.length === 0) return moved;
  return [
    ...moved,
    ...readBack.otherFields.map((change) => `  ${paint.warn("WARN")} also moved: ${fieldText(change)}`),
    ...byLines(readBack.by),
    "  nothing was put back. Other ways to write these fields: a config sent again whole, a template save, a redeploy, somebody else. Read it afresh before changing more",
  ];
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
