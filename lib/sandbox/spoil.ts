import type { Fault } from "./faults.ts";
import type { Answer, Frames, Outcome } from "./outcome.ts";
import { type Reply, refuse } from "./reply.ts";
import { isObject } from "./schema.ts";

/** What faults make of a reply before it becomes bytes. */
export function spoilReply(reply: Reply, faults: readonly Fault[]): Reply {
  return faults.reduce((spoilt, fault) => (spoilt.status >= 400 ? spoilt : spoil(spoilt, fault)), reply);
}

/** What faults make of the way that an answer takes. */
export function spoilAnswer(answer: Answer, faults: readonly Fault[], frames?: Frames): Outcome {
  if (faults.some(({ kind }) => kind === "lost-reply")) return { kind: "closed" };
  const wrong = faults.find((fault) => fault.kind === "wrong-type");
  const type = wrong?.contentType ?? (wrong?.json === undefined && wrong ? "text/plain" : undefined);
  const headers = type === undefined ? answer.headers : { ...answer.headers, "content-type": type };
  const isCut = faults.some(({ kind }) => kind === "cut-body");
  if (frames !== undefined) return { kind: "stream", answer: { ...answer, headers }, frames };
  return { kind: isCut ? "cut" : "answer", answer: { ...answer, headers } };
}

function spoil(reply: Reply, fault: Fault): Reply {
  switch (fault.kind) {
    case "commit-then-500":
      return refuse({ status: fault.status ?? 500, detail: "request could not be processed" });
    case "list-cap":
      return withLists(reply, (rows) => rows.slice(0, fault.limit));
    case "list-order":
      return withLists(reply, (rows) => rows.toReversed());
    case "answer-says":
      return { ...reply, json: merge(reply.json, fault.fields) };
    case "unknown-field":
      return withFields(reply, fault.fields ?? { futureField: { enabled: true } });
    case "wrong-type":
      return fault.json === undefined ? reply : { ...reply, json: fault.json };
    default:
      return reply;
  }
}

/** Lists are the arrays at the top of a wrapped answer, such as `endpoints`; an endpoint's own are its business. */
function withLists(reply: Reply, change: (rows: readonly unknown[]) => readonly unknown[]): Reply {
  if (!isList(reply.json)) return reply;
  const entries = Object.entries(reply.json).map(([key, value]) => [
    key,
    Array.isArray(value) ? change(value) : value,
  ]);
  return { ...reply, json: Object.fromEntries(entries) };
}

function withFields(reply: Reply, fields: Readonly<Record<string, unknown>>): Reply {
  const { json } = reply;
  if (!isObject(json)) return reply;
  if (json["id"] !== undefined) return { ...reply, json: { ...json, ...fields } };
  return withLists(reply, (rows) => rows.map((row) => (isObject(row) ? { ...row, ...fields } : row)));
}

/** Objects into objects; everything else takes the place of what was there. */
function merge(old: unknown, fields: unknown): unknown {
  if (!isObject(old) || !isObject(fields)) return fields;
  const merged = Object.entries(fields).map(([key, value]) => [key, merge(old[key], value)]);
  return { ...old, ...Object.fromEntries(merged) };
}

function isList(json: unknown): json is Record<string, unknown> {
  return isObject(json) && json["id"] === undefined;
}
