import type { Paint } from "./paint.ts";
import type { AppliedMutation } from "./result.ts";
import { valueText } from "./value-text.ts";

/** The lines under a change of jobs: before from the plan's read, after from the fresh one, and what was compared. */
export function jobFieldLines({ mutation, readBack }: AppliedMutation): readonly string[] {
  if (readBack === null) return [];
  const { fields, reads } = readBack;
  const lines = fields.map(({ path, actual }) => {
    const before = mutation.diff.find((change) => change.path === path)?.before ?? null;
    return `  ${path}  ${valueText(path, before)} → ${valueText(path, actual)}`;
  });
  const compared = fields.length === 0 ? "nothing" : fields.map(({ path }) => path).join(", ");
  return [...lines, `  compared: ${compared}, in ${reads} fresh ${reads === 1 ? "read" : "reads"}`];
}

/** The word for a change of jobs that has no read-back: a submit is proved by the job itself. */
export function jobWord({ status, error }: AppliedMutation, paint: Paint): string | null {
  if (status === "applied") return paint.good("SUBMITTED");
  if (status === "unknown") return paint.bad("UNKNOWN");
  return status === "skipped" && error === null ? "UNCHANGED" : null;
}

/** What a job that a recipe gave back came to, and its payload as it came; nothing for any other value. */
export function jobValueLines(value: unknown): readonly string[] {
  if (!isJobValue(value)) return [];
  const { status, id, text, delayTimeMs, executionTimeMs, workerId } = value;
  const parts = [
    `${status}  job ${id}`,
    `waited ${millis(delayTimeMs)} for a worker`,
    `ran ${millis(executionTimeMs)}`,
    `on worker ${workerId ?? "unknown"}`,
  ];
  return [parts.join(" · "), text];
}

interface JobValue {
  readonly status: string;
  readonly id: string;
  readonly text: string;
  readonly delayTimeMs: number | null;
  readonly executionTimeMs: number | null;
  readonly workerId: string | null;
}

function isJobValue(value: unknown): value is JobValue {
  if (typeof value !== "object" || value === null) return false;
  const { id, status, text } = value as Partial<JobValue>;
  return typeof id === "string" && typeof status === "string" && typeof text === "string";
}

function millis(ms: number | null): string {
  return ms === null ? "an unknown time" : `${ms} ms`;
}
