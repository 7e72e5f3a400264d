import { defineCommand } from "../_command.ts";
import { connect, lookClient } from "../_connect.ts";
import { CONNECTION_FLAGS, JSON_FLAG, PAYLOAD_FLAGS } from "../_flags.ts";
import { invokeId } from "../_invoke-id.ts";
import { notesOf } from "../_notes.ts";
import { formatOf, printPayload } from "../_payload.ts";
import { sessionOf } from "../_session.ts";

export default defineCommand({
  meta: {
    name: "health",
    description:
      "show the counts of an endpoint's jobs and workers, byte for byte as the service gives them\nIt does not say whether an endpoint exists, and may lag behind: it can answer for one just deleted.",
  },
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    ...PAYLOAD_FLAGS,
    ...JSON_FLAG,
    ...CONNECTION_FLAGS,
  },
  async run(context) {
    const { args } = context;
    const format = formatOf(args.output);
    const connection = await connect(args);
    const client = lookClient(connection, { signal: sessionOf(context).signal });
    const call = { repeatsTimeouts: connection.target.timeoutMs < SHORT_MS };
    const notes = notesOf();
    const id = await invokeId(client, args.endpoint, { note: notes.note, call });
    const { health } = await import("../../lib/api/invoke.ts");
    const { text } = await health(client, id, call);
    await notes.told();
    await printPayload(text, format);
  },
});

/** A deadline under a second is there to try again; a longer one that ran out ends the call, as a person means it. */
const SHORT_MS = 1_000;
