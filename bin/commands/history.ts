import type { RunRecord } from "../../lib/history/run-record.ts";
import { defineCommand } from "../_command.ts";
import { JSON_FLAG } from "../_flags.ts";
import { printJson, printText, tableText } from "../_output.ts";
import { runsFolder } from "../_team.ts";

export default defineCommand({
  meta: { name: "history", description: "what was run, on what, with what result" },
  args: {
    run: { type: "positional", required: false, description: "run id, to show one run alone" },
    ...JSON_FLAG,
  },
  async run({ args }) {
    const runs = await readRuns(args.run);
    const { historyDocument } = await import("../../lib/history/document.ts");
    if (args.json) printJson(historyDocument(runs));
    else printText(args.run === undefined ? listText(runs) : runs.map(runText).join("\n"));
  },
});

async function readRuns(runId: string | undefined): Promise<readonly RunRecord[]> {
  const folder = await runsFolder();
  if (runId !== undefined) {
    const { readRun } = await import("../../lib/history/read.ts");
    return [await readRun(folder, runId)];
  }
  const { listRuns } = await import("../../lib/history/list.ts");
  const { runs, unreadable } = await listRuns(folder);
  if (unreadable > 0) {
    const [{ openReport }, { environment }] = await Promise.all([
      import("../_report.ts"),
      import("../../lib/config.ts"),
    ]);
    const report = await openReport(environment());
    report.note(`${unreadable} records in ${folder} cannot be read and are left out`);
  }
  return runs;
}

function listText(runs: readonly RunRecord[]): string {
  if (runs.length === 0) return "No run is recorded yet.";
  const rows = runs.map(({ runId, outcome, plan }) => [
    runId,
    outcome ?? "cut off",
    plan.recipe.name,
    plan.endpoints.map(({ name, id }) => `${name} ${id}`).join(", "),
    plan.host,
  ]);
  return tableText([["RUN", "OUTCOME", "RECIPE", "ENDPOINTS", "HOST"], ...rows]);
}

function runText({ runId, startedAt, finishedAt, outcome, plan, applied }: RunRecord): string {
  const changes = plan.mutations.map(({ n, endpoint, summary }) => {
    const status = applied.find((done) => done.n === n)?.status ?? "skipped";
    return `  ${n}. ${endpoint ?? "shell"}  ${summary}: ${status}`;
  });
  const end = finishedAt ?? "never: the record was cut off, and what was sent may be in effect";
  const head = [
    `Run      ${runId}`,
    `Recipe   ${plan.recipe.name} (${plan.recipe.source})`,
    `Host     ${plan.host}`,
    `Started  ${startedAt}`,
    `Ended    ${end}`,
    `Outcome  ${outcome ?? "unknown"}`,
    "Changes",
  ];
  const undo = plan.mutations.every((mutation) => mutation.undo.possible)
    ? `readback undo ${runId} --dry-run`
    : "none: something in it cannot be undone";
  return [...head, ...changes, `Undo     ${undo}`].join("\n");
}
