import { type AnyCommand, defineCommand, type WordCommand } from "../_command.ts";
import { ENVELOPE_FLAGS } from "../_envelope.ts";
import { HOLD_FLAG, PAYLOAD_FLAGS } from "../_flags.ts";
import { RUN_FLAGS } from "../_run-flags.ts";
import { sessionOf } from "../_session.ts";
import { submit } from "../_submit.ts";
import { assertEndpointMeant } from "../_two-runs.ts";

const META = {
  name: "run",
  description: `submit one job at once, wait for its end, and print what the service says
The payload goes to stdout, also of a job that FAILED; the job's id and all notes go to stderr. Naming the input
is the consent: nobody is asked. A wait can overrun by up to 1 s, and the job goes on when it is over.

Example: readback serverless run image-generator --input '{"prompt":"hi"}'`,
};

const FLAGS = {
  ...ENVELOPE_FLAGS,
  wait: {
    type: "string",
    valueHint: "DURATION",
    description: "how long to wait, from the start of the command (default 5m; 0 does not wait)",
  },
  "no-wait": { type: "boolean", description: "the same as --wait 0" },
  ...HOLD_FLAG,
  "cancel-on-interrupt": {
    type: "boolean",
    description: "cancel the job on Ctrl-C or SIGTERM, instead of letting it go on",
  },
  "fail-on-output-error": {
    type: "boolean",
    description: "exit 1 when a COMPLETED job's output is an object with an error",
  },
  ...PAYLOAD_FLAGS,
  ...RUN_FLAGS,
} as const;

const command = defineCommand({
  meta: META,
  args: {
    endpoint: { type: "positional", required: true, description: "endpoint, by id or by name" },
    ...FLAGS,
  },
});

/** `serverless run`; a recipe's name in the endpoint's place is told before anything else is judged. */
export default { ...command, forWord: submitTo, run: () => {} } satisfies WordCommand;

async function submitTo(endpoint: string, argv: readonly string[]): Promise<AnyCommand> {
  assertEndpointMeant(endpoint, argv);
  return defineCommand({
    meta: META,
    args: FLAGS,
    run: (context) => submit({ endpoint, flags: context.args, rawArgs: context.rawArgs }, sessionOf(context)),
  });
}
