import { listReleases } from "../../lib/api/control.ts";
import { readByEndpoint } from "../_by-endpoint.ts";
import { defineCommand } from "../_command.ts";
import { connect, lookClient } from "../_connect.ts";
import { LOOK_FLAGS } from "../_flags.ts";
import { printText } from "../_output.ts";
import { passOn } from "../_pass-on.ts";
import { sessionOf } from "../_session.ts";

export default defineCommand({
  meta: { name: "releases", description: "show an endpoint's releases and its rollout, in JSON" },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    ...LOOK_FLAGS,
  },
  async run(context) {
    const { args } = context;
    const client = lookClient(await connect(args), { signal: sessionOf(context).signal });
    const reply = await readByEndpoint(client, args.endpoint, (id) => listReleases(client, id));
    const showSecrets = args["show-secrets"] ?? false;
    printText(passOn(reply, { what: `list the releases of endpoint "${args.endpoint}"`, showSecrets }));
  },
});
