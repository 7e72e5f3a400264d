import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ReadbackError } from "../errors.ts";
import { assertPlanRecord, isObject } from "./_shape.ts";
import type { AppliedRecord, RunRecord } from "./run-record.ts";

/**
 * Reads a run's record by its id.
 *
 * @throws not_found - there is none; usage_error - the id is none, or the record cannot be read
 */
export async function readRun(folder: string, runId: string): Promise<RunRecord> {
  if (!/^[0-9]{8}T[0-9]{6}Z-[0-9a-f]{4}$/.test(runId))
    throw new ReadbackError("usage_error", `"${runId}" is no run id such as 20261130T120000Z-7f3a`, {
      followUp: "readback history",
    });
  const text = await textOf(join(folder, `${runId}.jsonl`), runId);
  return recordOf(runId, text);
}

/**
 * Reads a run from its result document, `readback/result@1`.
 *
 * @throws usage_error - the file cannot be read or is no result
 */
export async function readResult(path: string): Promise<RunRecord> {
  const document = parse(await resultText(path), path);
  if (!isObject(document) || document["schema"] !== "readback/result@1")
    throw new ReadbackError("usage_error", `${path} is no result: its schema is not readback/result@1`);
  const { runId, startedAt, finishedAt, outcome, plan, applied, error } = document;
  return {
    runId: String(runId),
    startedAt: String(startedAt),
    finishedAt: String(finishedAt),
    outcome: String(outcome),
    plan: assertPlanRecord(plan, path),
    applied: Array.isArray(applied) ? (applied as AppliedRecord[]) : [],
    error: error ?? null,
  };
}

/** Puts a record together from its lines; a last line that was cut off is left out. */
export function recordOf(runId: string, text: string): RunRecord {
  const events = text.split("\n").flatMap((line) => eventOf(line));
  const planned = events.find((event) => event["event"] === "planned");
  const finished = events.find((event) => event["event"] === "finished");
  if (planned === undefined)
    throw new ReadbackError("usage_error", `The record of run ${runId} holds no plan`);
  return {
    runId,
    startedAt: String(planned["at"]),
    finishedAt: finished ? String(finished["at"]) : null,
    outcome: finished ? String(finished["outcome"]) : null,
    plan: assertPlanRecord(planned["plan"], `run ${runId}`),
    applied: finished ? (finished["applied"] as AppliedRecord[]) : cutOff(events),
    error: finished?.["error"] ?? null,
  };
}

/** A run that was cut off: what was announced may have arrived, unless the service said no. */
function cutOff(events: readonly Record<string, unknown>[]): readonly AppliedRecord[] {
  const of = (kind: string, n: unknown): Record<string, unknown> | undefined =>
    events.find((event) => event["event"] === kind && event["n"] === n);
  return events
    .filter((event) => event["event"] === "sent")
    .map(({ n }) => {
      const readBack = (of("verified", n)?.["readBack"] ?? null) as AppliedRecord["readBack"];
      const refused = isRefusal(of("answered", n)?.["error"]);
      const status = refused ? "failed" : readBack?.verdict === "verified" ? "applied" : "unknown";
      return { n: Number(n), status, readBack };
    });
}

function isRefusal(error: unknown): boolean {
  const details = isObject(error) ? error["details"] : null;
  return isObject(error) && !(isObject(details) && details["submitted"] === "unknown");
}

function eventOf(line: string): readonly Record<string, unknown>[] {
  try {
    const event: unknown = JSON.parse(line);
    return isObject(event) ? [event] : [];
  } catch {
    return [];
  }
}

async function textOf(path: string, runId: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT")
      throw new ReadbackError("not_found", `No run ${runId} in the history`, {
        followUp: "readback history",
      });
    throw new ReadbackError("usage_error", `Cannot read ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

async function resultText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    throw new ReadbackError("usage_error", `Cannot read ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ReadbackError("usage_error", `${path} is not JSON`);
  }
}
