import { messageOf, type Sign, signOf } from "./log-signs.ts";
import type { LogLine } from "./reads.ts";

/** What the log of one worker comes to, since the last sign that all was well. */
export interface LogDigest {
  readonly worker: string;
  /** How often its container was started, or was to be. */
  readonly starts: number;
  /** Of those, how often the start itself failed. */
  readonly startErrors: number;
  /** How often it ended by itself with an error. */
  readonly exits: number;
  /** How often the image could not be had yet. */
  readonly pendingPulls: number;
  /** True where the container said something since its first start. */
  readonly spoke: boolean;
  /** True where it came up since the last start, and takes jobs. */
  readonly ready: boolean;
  /** The line that decides, or null. */
  readonly decisive: Decisive | null;
  /** What the handler or the SDK said about a job that it took. */
  readonly jobTrouble: readonly JobTrouble[];
  /** Jobs that were started and not finished: id → how often. */
  readonly unfinished: ReadonlyMap<string, number>;
  /** The line that names the worker SDK's version, or null. */
  readonly sdk: { readonly version: string; readonly line: LogLine } | null;
  /** The answers to a load balancer's probe: the newest line, or null. */
  readonly probe: { readonly answered: boolean; readonly line: LogLine } | null;
  /** The newest line that says where it stands, for evidence. */
  readonly last: LogLine | null;
  readonly lastPending: LogLine | null;
  readonly lastStart: LogLine | null;
}

export interface Decisive extends Sign {
  readonly line: LogLine;
}

export interface JobTrouble extends Decisive {
  /** The job, where the log says which. */
  readonly requestId: string | null;
}

type Draft = { -readonly [K in keyof LogDigest]: LogDigest[K] } & {
  jobTrouble: JobTrouble[];
  unfinished: Map<string, number>;
  job: string | null;
};

/** Reads a worker's log in order of time. @param healthPath the path that a load balancer polls, or null */
export function digestLog(worker: string, lines: readonly LogLine[], healthPath: string | null): LogDigest {
  const draft = emptyDraft(worker);
  for (const line of inOrder(lines)) take(draft, line, healthPath);
  const { job, ...digest } = draft;
  if (job !== null) bump(digest.unfinished, job);
  return digest;
}

function take(draft: Draft, line: LogLine, healthPath: string | null): void {
  draft.last = line;
  if (line.source === "system") takeSystem(draft, line);
  else takeContainer(draft, line, healthPath);
}

function takeSystem(draft: Draft, line: LogLine): void {
  const { line: text } = line;
  if (/^(stop|remove) container\b/.test(text)) recover(draft);
  else if (/^error creating container: image pull:.*\bpending\b/i.test(text)) putOff(draft, line);
  else if (/^Status: (Downloaded newer image|Image is up to date)/.test(text)) pulled(draft);
  else if (/^start container\b/.test(text)) started(draft, line);
  else takeSystemSign(draft, line);
}

function takeSystemSign(draft: Draft, line: LogLine): void {
  if (/^error (starting|creating) container\b/.test(line.line)) draft.startErrors += 1;
  const sign = signOf(line);
  if (sign === null) return;
  if (!sign.specific) draft.exits += 1;
  decide(draft, { ...sign, line });
}

function putOff(draft: Draft, line: LogLine): void {
  draft.pendingPulls += 1;
  draft.lastPending = line;
}

function started(draft: Draft, line: LogLine): void {
  pulled(draft);
  if (draft.job !== null) bump(draft.unfinished, draft.job);
  draft.job = null;
  draft.starts += 1;
  draft.lastStart = line;
  draft.ready = false;
}

function takeContainer(draft: Draft, line: LogLine, healthPath: string | null): void {
  const { text, requestId } = messageOf(line.line);
  draft.spoke = true;
  const version = /Starting Serverless Worker\s*\|\s*Version (\d+\.\d+\.\d+)/.exec(text)?.[1];
  if (version !== undefined) draft.sdk = { version, line };
  if (healthPath !== null) takeProbe(draft, line, healthPath);
  const sign = signOf(line);
  if (sign !== null) takeSign(draft, { ...sign, line }, requestId);
  else if (isUp(text)) up(draft);
  else takeJobLine(draft, line, { text, requestId });
}

interface Message {
  readonly text: string;
  readonly requestId: string | null;
}

function takeJobLine(draft: Draft, line: LogLine, { text, requestId }: Message): void {
  if (text === "Started." && requestId !== null) {
    up(draft);
    if (draft.job === requestId) bump(draft.unfinished, requestId); // taken again, and not by another attempt beside it
    draft.job = requestId;
  }
  if (text === "Finished.") finished(draft, requestId);
  if (/^Captured Handler Exception/.test(text) && draft.job !== null)
    draft.jobTrouble.push({ cause: "poison_job", specific: false, line, requestId: requestId ?? draft.job });
}

/** A line inside a job is the job's trouble, and the container's too where it ends with it. */
function takeSign(draft: Draft, sign: Decisive, requestId: string | null): void {
  const job = requestId ?? draft.job;
  if (job !== null || sign.cause === "bad_payload") draft.jobTrouble.push({ ...sign, requestId: job });
  if (sign.cause !== "bad_payload") decide(draft, sign);
}

/** Of lines that name why, the last one counts; one that only says that something ended never replaces it. */
function decide(draft: Draft, sign: Decisive): void {
  if (sign.specific || draft.decisive?.specific !== true) draft.decisive = sign;
}

/** It came up: what was said while it loaded was a warning, or is over. */
function up(draft: Draft): void {
  draft.ready = true;
  if (draft.unfinished.size === 0 && draft.job === null) draft.decisive = null;
}

function isUp(text: string): boolean {
  return /^All fitness checks passed|^Jobs in queue: |Application startup complete|Uvicorn running on/.test(
    text,
  );
}

/** A job came to its end, so the container lives; what was said within that job stays the job's. */
function finished(draft: Draft, requestId: string | null): void {
  const job = requestId ?? draft.job;
  draft.job = null;
  if (job !== null) draft.unfinished.delete(job);
  const ownTrouble = draft.jobTrouble.filter((trouble) => trouble.requestId === job && job !== null);
  recover(draft);
  draft.ready = true;
  draft.jobTrouble.push(...ownTrouble);
}

/** All was well here: what was before is no longer the reason. */
function recover(draft: Draft): void {
  Object.assign(draft, { starts: 0, startErrors: 0, exits: 0, spoke: false, ready: false, decisive: null });
  pulled(draft);
  draft.job = null;
  draft.unfinished.clear();
  draft.jobTrouble.splice(0);
}

function pulled(draft: Draft): void {
  draft.pendingPulls = 0;
  if (draft.decisive?.cause === "image_pull" || draft.decisive?.cause === "registry_auth")
    draft.decisive = null;
}

function takeProbe(draft: Draft, line: LogLine, path: string): void {
  const [, asked, status] =
    /\bGET (\/[^\s?"]*)(?:\?\S*)?(?: HTTP\/[\d.]+)?"?\s+(\d{3})\b/.exec(line.line) ?? [];
  if (asked === path) draft.probe = { answered: status === "200", line };
}

function bump(counts: Map<string, number>, job: string): void {
  counts.set(job, (counts.get(job) ?? 0) + 1);
}

/** Stamps of the two sources have different precision: they are compared as instants, and what is equal keeps its order. */
function inOrder(lines: readonly LogLine[]): readonly LogLine[] {
  const instants = lines.map(({ ts }) => (ts === null ? Number.NaN : Date.parse(ts)));
  if (instants.some(Number.isNaN)) return lines;
  return lines
    .map((line, i) => ({ line, at: instants[i] ?? 0, i }))
    .toSorted((a, b) => a.at - b.at || a.i - b.i)
    .map(({ line }) => line);
}

function emptyDraft(worker: string): Draft {
  return {
    worker,
    starts: 0,
    startErrors: 0,
    exits: 0,
    pendingPulls: 0,
    spoke: false,
    ready: false,
    decisive: null,
    jobTrouble: [],
    unfinished: new Map(),
    sdk: null,
    probe: null,
    last: null,
    lastPending: null,
    lastStart: null,
    job: null,
  };
}
