import { listWorkers } from "../../lib/api/control.ts";
import type { Worker, WorkerList } from "../../lib/api/workers.ts";
import { oneLine } from "../../lib/plain-text.ts";
import { readByEndpoint } from "../_by-endpoint.ts";
import { defineCommand } from "../_command.ts";
import { connect, lookClient } from "../_connect.ts";
import { LOOK_FLAGS } from "../_flags.ts";
import { printText, tableText } from "../_output.ts";
import { passOn } from "../_pass-on.ts";
import { sessionOf } from "../_session.ts";
import { isTerminal } from "../_terminal.ts";

export default defineCommand({
  meta: {
    name: "workers",
    description: "list an endpoint's workers: a table on a terminal, JSON otherwise",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    ...LOOK_FLAGS,
  },
  async run(context) {
    const { args } = context;
    const client = lookClient(await connect(args), { signal: sessionOf(context).signal });
    const reply = await readByEndpoint(client, args.endpoint, (id) => listWorkers(client, id));
    if (!args.json && (await isTerminal(1))) {
      const { parseWorkers } = await import("../../lib/api/workers.ts");
      printText(workerTable(parseWorkers(reply.text)));
    } else {
      const showSecrets = args["show-secrets"] ?? false;
      printText(passOn(reply, { what: `list the workers of endpoint "${args.endpoint}"`, showSecrets }));
    }
  },
});

/** The table that a person reads: one line a worker, and the counts. */
export function workerTable({ workers, summary }: WorkerList): string {
  const counts = Object.entries(summary).map(([name, count]) => `${count} ${name}`);
  const closing = counts.join(", ") || `${workers.length} workers`;
  if (workers.length === 0) return `No worker is up (${closing})`;
  const rows = workers.map((worker) => [
    worker.id,
    worker.status,
    versionOf(worker),
    worker.gpuTypeId ?? "",
    worker.dataCenterId ?? "",
    uptimeOf(worker),
    worker.image ?? "",
  ]);
  const head = ["ID", "STATUS", "VERSION", "GPU", "DATA CENTER", "UP", "IMAGE"];
  return `${tableText([head, ...rows.map((row) => row.map(oneLine))])}\n\n${closing}`;
}

function versionOf({ version, isStale }: Worker): string {
  return `${version ?? "unknown"}${isStale ? ", outdated" : ""}`;
}

function uptimeOf({ uptimeSeconds }: Worker): string {
  if (uptimeSeconds === undefined || uptimeSeconds === null) return "";
  const minutes = Math.floor(uptimeSeconds / 60);
  if (minutes === 0) return `${uptimeSeconds}s`;
  return minutes < 60 ? `${minutes}m` : `${Math.floor(minutes / 60)}h ${minutes % 60}m`;
}
