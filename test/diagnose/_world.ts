import { readdirSync, readFileSync } from "node:fs";
import type { Document } from "../../lib/diagnose/document.ts";
import type { RunContext } from "../../lib/run/context.ts";
import { planRecipe } from "../../lib/run/plan-recipe.ts";
import diagnose from "../../recipes/diagnose.ts";
import { calmClock } from "./_clock.ts";

type Json = Readonly<Record<string, unknown>>;

/** A world as its file has it: responses of the service, as they differ from `_base.json`. */
export interface World {
  readonly title: string;
  readonly ask?: { readonly endpoint?: string; readonly job?: string; readonly symptom?: string };
  readonly endpoint?: Json;
  /** One answer of `/health` after the other; the last one stays. A status instead: it fails. */
  readonly health?: readonly Json[] | Refused;
  readonly workers?: readonly Json[] | Refused;
  readonly job?: Json | Refused;
  /** Per worker: lines, `hang` for headers that never come, or a status. */
  readonly logs?: Readonly<Record<string, readonly LogEntry[] | "hang" | Refused>>;
  /** Changes of catalog rows by GPU type id. */
  readonly gpus?: Readonly<Record<string, Json>> | Refused;
  readonly releases?: Json | Refused;
  readonly billing?: Json | Refused;
  /** The other endpoints of the account. */
  readonly others?: readonly Json[] | Refused;
  readonly expect: Expected;
}

export interface Expected {
  readonly first?: string | null;
  readonly causes?: readonly string[];
  readonly verdict?: string;
  readonly evidence?: readonly Json[];
  /** Every command of the first finding, in order. */
  readonly commands?: readonly string[];
  readonly ruledOut?: readonly string[];
  readonly requests?: number;
}

interface Refused {
  readonly status: number;
}

/** `S 17:42:52 text` or `C 17:42:52.179 text`; without a time where a repeat gives it. */
type LogEntry = string | { repeat: number; every: number; from: string; lines: readonly string[] };

interface WorldFile {
  readonly is: readonly World[];
  readonly isNot: readonly World[];
}

const FOLDER = new URL("worlds/", import.meta.url);
const DAY = "2026-08-06";

/** Every file of worlds, by the cause it is about. */
export function worldFiles(): ReadonlyMap<string, WorldFile> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".json") && !name.startsWith("_"));
  return new Map(names.map((name) => [name.replace(".json", ""), readJson(name) as WorldFile]));
}

export function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
}

/** What a diagnosis of a world came to. */
export interface Diagnosed {
  readonly document: Document;
  /** `METHOD path?query` of every request. */
  readonly requests: readonly string[];
  /** Everything that the service said, as one text. */
  readonly said: string;
}

/** Diagnoses a world over the real transport, against its responses. */
export async function diagnoseWorld(world: World): Promise<Diagnosed> {
  const bench = benchOf(world);
  const { endpoint = ID, job, symptom } = world.ask ?? {};
  const given = { endpoint, ...(job && { job }), ...(symptom && { symptom }) };
  const loaded = { recipe: diagnose, source: "built-in", digest: "sha256:0" };
  const plan = await planRecipe(loaded, given, bench.context);
  return { document: plan.value as Document, requests: bench.requests, said: bench.said.join("\n") };
}

export const ID = "4m7x2k9q";

interface Bench {
  readonly context: RunContext;
  readonly requests: string[];
  readonly said: string[];
}

/** The service of a world, and a context that talks to it. */
export function benchOf(world: World): Bench {
  const base = readJson("_base.json") as Base;
  const [requests, said]: [string[], string[]] = [[], []];
  let open = 0;
  let samples = 0;
  const answer = serviceOf(world, base);
  const fetch = async (request: Request): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    requests.push(`${request.method} ${pathname}${search}`);
    open += 1;
    const given = answer(pathname, samples);
    if (pathname.endsWith("/health")) samples += 1;
    if (given === "hang") {
      open -= 1;
      return await new Promise((_, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason));
      });
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
    open -= 1;
    const text = typeof given.body === "string" ? given.body : JSON.stringify(given.body);
    said.push(text);
    if (given.stream)
      return new Response(quietAfter(text), { headers: { "content-type": "text/event-stream" } });
    return new Response(text, { status: given.status, headers: { "content-type": "application/json" } });
  };
  const clock = calmClock(Date.parse(base.at), () => open > 0);
  const target = {
    controlUrl: "http://world.test",
    invokeUrl: "http://world.test/invoke/v2",
    host: "world.test",
    ...{ key: "rpa_world", readKey: "rpa_world", keySource: "the world", timeoutMs: 30_000 },
  };
  return { context: { target, clock, signal: new AbortController().signal, fetch }, requests, said };
}

interface Base {
  readonly at: string;
  readonly endpoint: Json;
  readonly health: { readonly jobs: Json; readonly workers: Json };
  readonly worker: Json;
  readonly gpus: readonly Json[];
}

type Answer = { readonly status: number; readonly body: unknown; readonly stream?: boolean } | "hang";

function serviceOf(world: World, base: Base): (path: string, sample: number) => Answer {
  const endpoint = { ...base.endpoint, ...merged(base.endpoint, world.endpoint) };
  return (path, sample) => {
    const log = /\/workers\/([^/]+)\/logs$/.exec(path)?.[1];
    if (log !== undefined) return logAnswer(world.logs?.[log]);
    if (path.endsWith("/health")) return healthAnswer(world.health ?? [{}], sample, base);
    if (path.endsWith("/workers")) return workersAnswer(world.workers ?? [], base);
    if (path.includes("/status/")) return jsonAnswer(world.job ?? { status: 404 });
    if (path.endsWith("/releases")) return jsonAnswer(world.releases ?? { endpointVersion: 4, releases: [] });
    if (path === "/v2/billing/serverless") return jsonAnswer(world.billing ?? { status: 500 });
    if (path === "/v2/catalog/gpus") return gpusAnswer(world.gpus, base);
    if (path === "/v2/serverless") return othersAnswer(world.others ?? [], endpoint);
    return path === `/v2/serverless/${ID}` ? jsonAnswer(world.endpoint ?? {}, endpoint) : refused(404);
  };
}

/** One level down, so that a world names only what is otherwise. */
function merged(base: Json, given: Json | undefined): Json {
  return Object.fromEntries(
    Object.entries(given ?? {}).map(([key, value]) => {
      const old = base[key];
      const both = isObject(old) && isObject(value) && (key === "gpu" || key === "workers");
      return [key, both ? { ...old, ...value } : value];
    }),
  );
}

function jsonAnswer(given: unknown, body: unknown = given): Answer {
  return isRefused(given) ? refused(given.status) : { status: 200, body };
}

function refused(status: number): Answer {
  return { status, body: { title: "refused", status, detail: `refused by the world` } };
}

function healthAnswer(given: readonly Json[] | Refused, sample: number, base: Base): Answer {
  if (isRefused(given)) return refused(given.status);
  const now = (given as readonly Json[])[Math.min(sample, (given as readonly Json[]).length - 1)] ?? {};
  const jobs = { ...base.health.jobs, ...(now["jobs"] as Json) };
  return { status: 200, body: { jobs, workers: { ...base.health.workers, ...(now["workers"] as Json) } } };
}

function workersAnswer(given: readonly Json[] | Refused, base: Base): Answer {
  if (isRefused(given)) return refused(given.status);
  const workers = (given as readonly Json[]).map((worker) => ({ ...base.worker, ...worker }) as Json);
  const count = (status: string): number => workers.filter((worker) => worker["status"] === status).length;
  const names = ["running", "idle", "initializing", "throttled", "unhealthy"];
  const summary = Object.fromEntries(names.map((name) => [name, count(name.toUpperCase())]));
  return {
    status: 200,
    body: { endpointVersion: 4, summary: { ...summary, total: workers.length }, workers },
  };
}

function gpusAnswer(given: World["gpus"], base: Base): Answer {
  if (isRefused(given)) return refused(given.status);
  const changes = (given ?? {}) as Readonly<Record<string, Json>>;
  return { status: 200, body: { gpus: base.gpus.map((row) => ({ ...row, ...changes[String(row["id"])] })) } };
}

function othersAnswer(given: readonly Json[] | Refused, endpoint: Json): Answer {
  if (isRefused(given)) return refused(given.status);
  const others = (given as readonly Json[]).map((other) => ({ ...endpoint, ...other }));
  return { status: 200, body: { endpoints: [endpoint, ...others] } };
}

function logAnswer(given: readonly LogEntry[] | "hang" | Refused | undefined): Answer {
  if (given === undefined) return refused(404);
  if (given === "hang") return "hang";
  if (isRefused(given)) return refused(given.status);
  const lines = (given as readonly LogEntry[]).flatMap(expanded);
  const frames = lines.map((line) => `id: ${line.ts}\ndata: ${JSON.stringify(line)}\n\n`);
  return { status: 200, body: frames.join(""), stream: true };
}

interface Line {
  readonly source: string;
  readonly line: string;
  readonly ts: string;
}

function expanded(entry: LogEntry): readonly Line[] {
  if (typeof entry === "string") {
    const [, letter = "", time = "", text = ""] = /^([SC]) ([\d:.]+) (.*)$/s.exec(entry) ?? [];
    return [{ source: sourceOf(letter), line: text, ts: `${DAY}T${time}Z` }];
  }
  const startMs = Date.parse(`${DAY}T${entry.from}Z`);
  return Array.from({ length: entry.repeat }, (_, i) => {
    const ts = new Date(startMs + i * entry.every * 1000).toISOString().replace(".000Z", "Z");
    return entry.lines.map((line) => ({ source: sourceOf(line.slice(0, 1)), line: line.slice(2), ts }));
  }).flat();
}

function sourceOf(letter: string): string {
  return letter === "S" ? "system" : "container";
}

/** A stream that never ends by itself, as the service's (runpod-api.md 2.11). */
function quietAfter(text: string): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) });
}

function isRefused(given: unknown): given is Refused {
  return isObject(given) && typeof given["status"] === "number" && Object.keys(given).length === 1;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
