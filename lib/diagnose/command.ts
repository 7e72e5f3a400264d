import type { Cost } from "../plan/cost.ts";
import { shellLine } from "../shell-line.ts";
import type { Recommendation } from "./finding.ts";

/** Gives advice with the command to paste, and what it costs where it changes that. */
export function fix(text: string, words: readonly string[], cost: Cost | null = null): Recommendation {
  return { text, command: shellLine(["readback", ...words]), cost };
}

/** `serverless update` of one endpoint. */
export function updateWords(id: string, ...flags: readonly string[]): readonly string[] {
  return ["serverless", "update", id, ...flags];
}

/** The command that shows a worker's log. */
export function logsCommand(id: string, worker: string): string {
  return shellLine(["readback", "serverless", "logs", id, "--worker", worker]);
}
