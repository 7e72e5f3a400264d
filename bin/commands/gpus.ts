import type { GpuType } from "../../lib/api/catalog.ts";
import { ReadbackError } from "../../lib/errors.ts";
import { defineCommand } from "../_command.ts";
import { connect, lookClient } from "../_connect.ts";
import { CONNECTION_FLAGS, JSON_FLAG } from "../_flags.ts";
import { printJson, printText, tableText } from "../_output.ts";
import { sessionOf } from "../_session.ts";
import { isTerminal } from "../_terminal.ts";

export default defineCommand({
  meta: {
    name: "gpus",
    description: "GPU types with pool, price, stock and CUDA versions: a table on a terminal, JSON otherwise",
  },
  args: {
    "data-center": { type: "string", valueHint: "ID", description: "stock of this data center alone" },
    "min-cuda": {
      type: "string",
      valueHint: "VERSION",
      description: "stock of machines with this CUDA version, major.minor, or a newer one",
    },
    ...JSON_FLAG,
    ...CONNECTION_FLAGS,
  },
  async run(context) {
    const { args } = context;
    const filter = { dataCenter: args["data-center"], minCuda: cudaOf(args["min-cuda"]) };
    const connection = await connect(args);
    const client = lookClient(connection, { signal: sessionOf(context).signal });
    const { listGpuTypes } = await import("../../lib/api/control.ts");
    const { parseGpuTypes } = await import("../../lib/api/schema.ts");
    const catalog = parseGpuTypes((await listGpuTypes(client, { minCuda: filter.minCuda })).text);
    await noteUnseen(filter.dataCenter, catalog);
    const { stockList } = await import("../../lib/gpus/stock-list.ts");
    const rows = stockList(catalog, filter);
    if (args.json || !(await isTerminal(1))) {
      const { gpusDocument } = await import("../../lib/gpus/document.ts");
      const { target, clock } = connection;
      printJson(
        gpusDocument(rows, { host: target.host, readAt: new Date(clock.now()).toISOString(), filter }),
      );
    } else {
      const { gpuTable, leftOutText } = await import("../../lib/gpus/table.ts");
      printText(`${tableText(gpuTable(rows))}\n${leftOutText(rows)}`);
    }
  },
});

function cudaOf(text: string | undefined): string | undefined {
  if (text === undefined || /^\d+\.\d+$/.test(text)) return text;
  throw new ReadbackError(
    "usage_error",
    `Cannot use --min-cuda ${JSON.stringify(text)}: expected major.minor such as 12.4`,
  );
}

/** The catalog lists a data center only where it has something: one that it does not name may be full, or a mistake. */
async function noteUnseen(dataCenter: string | undefined, catalog: readonly GpuType[]): Promise<void> {
  const { dataCentersOf } = await import("../../lib/gpus/stock-list.ts");
  const known = dataCentersOf(catalog);
  if (dataCenter === undefined || known.some((id) => id.toLowerCase() === dataCenter.toLowerCase())) return;
  const { openReport } = await import("../_report.ts");
  const { environment } = await import("../../lib/config.ts");
  const report = await openReport(environment());
  report.note(
    `nothing is in stock in ${dataCenter}; data centers with stock are ${known.join(", ") || "none"}`,
  );
}
