import { createStreamClient } from "../api/stream-client.ts";
import type { LogLine } from "../logs/log-line.ts";
import { logQuery } from "../logs/log-options.ts";
import { readLogs } from "../logs/read-logs.ts";
import type { Engine, LogsOptions, LogsResult } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";

/** The part of an engine that reads workers' logs, as they are now. */
export function logSteps(parts: EngineParts): Pick<Engine, "logs"> {
  return {
    logs: (endpoint, options) => parts.session.step("logs", "look", () => read(endpoint, options, parts)),
  };
}

async function read(endpoint: string, options: LogsOptions, parts: EngineParts): Promise<LogsResult> {
  const { client, clock, signal } = parts;
  const lines: LogLine[] = [];
  const workers = await readLogs({
    endpoint,
    query: logQuery(options),
    workers: options.workers ?? [],
    client: createStreamClient(client.target, { ...parts.clientOptions, signal }, client),
    clock,
    signal,
    onLines: (fresh) => lines.push(...fresh),
    onNote: parts.note,
    ...(options.maxWaitMs === undefined ? {} : { maxWaitMs: options.maxWaitMs }),
  });
  return { lines, workers };
}
