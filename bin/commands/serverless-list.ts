import type { Endpoint } from "../../lib/api/endpoint.ts";
import { defineCommand } from "../_command.ts";
import { connect, lookClient } from "../_connect.ts";
import { LOOK_FLAGS } from "../_flags.ts";
import { printText, tableText } from "../_output.ts";
import { passOn } from "../_pass-on.ts";
import { sessionOf } from "../_session.ts";
import { isTerminal } from "../_terminal.ts";

export default defineCommand({
  meta: { name: "list", description: "list all endpoints: a table on a terminal, JSON otherwise" },
  args: LOOK_FLAGS,
  async run(context) {
    const { args } = context;
    const client = lookClient(await connect(args), { signal: sessionOf(context).signal });
    const { listEndpoints } = await import("../../lib/api/control.ts");
    const reply = await listEndpoints(client);
    if (!args.json && (await isTerminal(1))) {
      const { parseEndpoints } = await import("../../lib/api/schema.ts");
      printText(endpointTable(parseEndpoints(reply.text)));
    } else {
      const showSecrets = args["show-secrets"] ?? false;
      printText(passOn(reply, { what: "list endpoints", showSecrets }));
    }
  },
});

function endpointTable(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map((endpoint) => [
    endpoint.id,
    endpoint.name,
    endpoint.type ?? "",
    `${endpoint.workers.min} to ${endpoint.workers.max}`,
    computeOf(endpoint),
  ]);
  return tableText([["ID", "NAME", "TYPE", "WORKERS", "COMPUTE"], ...rows]);
}

function computeOf({ gpu, cpu }: Endpoint): string {
  if (cpu !== undefined && cpu.length > 0)
    return cpu.map(({ id, vcpuCount }) => `${id} × ${vcpuCount}`).join(", ");
  if (gpu === undefined || gpu === null) return "";
  const without = gpu.excludedTypes ?? [];
  return `${gpu.pools.join(", ")}${without.length > 0 ? ` without ${without.length} types` : ""}`;
}
