import { resolveEndpoint } from "../../lib/resolve.ts";
import { defineCommand } from "../_command.ts";
import { connect, lookClient } from "../_connect.ts";
import { LOOK_FLAGS } from "../_flags.ts";
import { printText } from "../_output.ts";
import { passOn } from "../_pass-on.ts";
import { sessionOf } from "../_session.ts";

export default defineCommand({
  meta: { name: "get", description: "show one endpoint as the service tells it, in JSON" },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    ...LOOK_FLAGS,
  },
  async run(context) {
    const { args } = context;
    const client = lookClient(await connect(args), { signal: sessionOf(context).signal });
    const { text, id } = await resolveEndpoint(client, args.endpoint);
    const reply = { text, status: 200, headers: new Headers() };
    const showSecrets = args["show-secrets"] ?? false;
    printText(passOn(reply, { what: `read endpoint "${id}"`, showSecrets }));
  },
});
