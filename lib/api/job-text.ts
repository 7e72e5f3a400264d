import { elements, jsonKind, members } from "./json-text.ts";

/** What a reply says about a job; both are null where it does not say it, or not as a text with content. */
export interface JobState {
  readonly id: string | null;
  /** As the service wrote it. */
  readonly status: string | null;
}

/** What else a reply says about a job (runpod-api.md 3.4). */
export interface JobFacts {
  /** Wait before the last attempt started, in milliseconds; a re-dispatch computes it anew. */
  readonly delayTimeMs: number | null;
  readonly executionTimeMs: number | null;
  readonly retries: number | null;
  readonly workerId: string | null;
  /** The platform's or the handler's text, whole. */
  readonly error: string | null;
  readonly hasOutput: boolean;
  /** True when the output is an object with an `error`: a job may be COMPLETED all the same. */
  readonly outputHasError: boolean;
}

/** One reply of `/stream`: what it took out, as written. */
export interface StreamReply {
  readonly status: string | null;
  /** The entries; each an object with `output`, and with `metrics` where the service has them. */
  readonly entries: readonly string[];
}

/** The states in which a job has ended; every list of them is this one (runpod-api.md 3.3). */
const TERMINAL: readonly string[] = ["COMPLETED", "FAILED", "CANCELLED", "TIMED_OUT"];

/** True for a state in which a job has ended, in any case of letters; unknown states go on. */
export function isTerminal(status: string): boolean {
  return TERMINAL.includes(status.toUpperCase());
}

/** True for the one state that is a success, in any case of letters. */
export function isCompleted(status: string): boolean {
  return status.toUpperCase() === "COMPLETED";
}

/** Reads id and status off a job's JSON text without parsing it; null when it is no JSON object. */
export function readJobState(text: string): JobState | null {
  const found = fieldsOf(text);
  return found === null ? null : { id: filled(found.get("id")), status: filled(found.get("status")) };
}

/** Reads times, retries, worker and error off a job's JSON text; nulls where it has none. */
export function readJobFacts(text: string): JobFacts {
  const found = fieldsOf(text) ?? new Map<string, string>();
  const output = found.get("output");
  return {
    delayTimeMs: count(found.get("delayTime")),
    executionTimeMs: count(found.get("executionTime")),
    retries: count(found.get("retries")),
    workerId: filled(found.get("workerId")),
    error: asText(found.get("error")),
    hasOutput: output !== undefined && output !== "null",
    outputHasError: output !== undefined && isErrorObject(output),
  };
}

/**
 * Reads a reply of `/stream`: `{status, stream: […]}` as seen live, or the bare array of the docs (runpod-api.md 3.4);
 * null when it is neither.
 */
export function readStreamReply(text: string): StreamReply | null {
  try {
    const bare = elements(text);
    if (bare !== null) return { status: null, entries: bare };
    const found = fieldsOf(text);
    const status = filled(found?.get("status"));
    const entries = elements(found?.get("stream") ?? "[]");
    if (entries === null || (status === null && found?.has("stream") !== true)) return null;
    return { status, entries };
  } catch {
    return null;
  }
}

/** How many jobs a purge says that it removed; null where it does not say. */
export function readRemoved(text: string): number | null {
  return count(fieldsOf(text)?.get("removed"));
}

/** Of duplicate keys the last counts, as it does for other readers. */
function fieldsOf(text: string): Map<string, string> | null {
  try {
    const found = members(text);
    return found === null ? null : new Map(found.map(({ key, value }) => [key, value]));
  } catch {
    return null;
  }
}

function filled(value: string | undefined): string | null {
  const parsed = value?.startsWith('"') ? String(JSON.parse(value)) : "";
  return parsed.trim() === "" ? null : parsed;
}

function count(value: string | undefined): number | null {
  return value !== undefined && jsonKind(value) === "number" ? Number(value) : null;
}

/** An error is a text, or whatever a handler put there. */
function asText(value: string | undefined): string | null {
  if (value === undefined || value === "null") return null;
  return value.startsWith('"') ? String(JSON.parse(value)) : value;
}

function isErrorObject(output: string): boolean {
  if (jsonKind(output) !== "object") return false;
  return (members(output) ?? []).some(({ key, value }) => key === "error" && !EMPTY.includes(value));
}

const EMPTY: readonly string[] = ["null", "false", '""', "{}", "[]"];
