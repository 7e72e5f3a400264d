import type { ArgsDef } from "citty";
import type { Envelope, EnvelopeOptions } from "../lib/api/envelope.ts";
import { ReadbackError } from "../lib/errors.ts";
import { durationOf } from "./_flags.ts";
import { readGivenFile } from "./_read-file.ts";
import type { Report } from "./_report.ts";
import { readStdin } from "./_stdin.ts";

/** The flags that say what is submitted. */
export const ENVELOPE_FLAGS = {
  input: { type: "string", valueHint: "JSON", description: "the job's input, a JSON object; - reads stdin" },
  "input-file": { type: "string", valueHint: "PATH", description: "the same from a file; - reads stdin" },
  "body-file": {
    type: "string",
    valueHint: "PATH",
    description: "a whole envelope from a file: input, webhook, policy, s3Config; - reads stdin",
  },
  webhook: { type: "string", valueHint: "URL", description: "gets the finished job by POST" },
  "execution-timeout": {
    type: "string",
    valueHint: "DURATION",
    description: "how long the job may run, 5s to 168h (default: the endpoint's)",
  },
  ttl: {
    type: "string",
    valueHint: "DURATION",
    description: "when the job is removed, from its submit and also while it runs, 10s to 168h (default 24h)",
  },
  "low-priority": { type: "boolean", description: "the job does not make the endpoint scale up" },
  "s3-config": {
    type: "string",
    valueHint: "PATH",
    description: "JSON file: where the worker puts its output",
  },
} as const satisfies ArgsDef;

export interface EnvelopeFlags {
  readonly input?: string | undefined;
  readonly "input-file"?: string | undefined;
  readonly "body-file"?: string | undefined;
  readonly webhook?: string | undefined;
  readonly "execution-timeout"?: string | undefined;
  readonly ttl?: string | undefined;
  readonly "low-priority"?: boolean | undefined;
  readonly "s3-config"?: string | undefined;
}

const SOURCES = ["input", "input-file", "body-file"] as const;
const BESIDE_INPUT = ["webhook", "execution-timeout", "ttl", "low-priority", "s3-config"] as const;

interface Reading {
  readonly report: Report;
  readonly signal: AbortSignal;
}

/** Makes the body of a submit from the flags; everything about it is checked here. @throws usage_error */
export async function envelopeOf(flags: EnvelopeFlags, reading: Reading): Promise<Envelope> {
  const source = sourceOf(flags);
  const options = await optionsOf(flags);
  const text = await textOf(source, flags[source] ?? "", reading);
  if (source === "body-file") {
    const { checkEnvelope } = await import("../lib/api/body-file.ts");
    return checkEnvelope(text);
  }
  const { buildEnvelope } = await import("../lib/api/envelope.ts");
  return buildEnvelope(text, { ...options, source: `--${source}` });
}

function sourceOf(flags: EnvelopeFlags): (typeof SOURCES)[number] {
  const given = SOURCES.filter((name) => flags[name] !== undefined);
  const [source, other] = given;
  if (source === undefined)
    throw usage("Missing the input: give --input JSON, --input-file PATH or --body-file PATH");
  if (other !== undefined) throw usage(`--${source} and --${other} exclude each other: give one of them`);
  const beside = BESIDE_INPUT.find((name) => source === "body-file" && flags[name] !== undefined);
  if (beside !== undefined)
    throw usage(
      `--${beside} and --body-file exclude each other: the envelope in the file has a place for it`,
    );
  return source;
}

async function textOf(source: (typeof SOURCES)[number], value: string, reading: Reading): Promise<string> {
  if (value === "-") return await readStdin(`--${source}`, reading);
  return source === "input" ? value : await readGivenFile(source, value);
}

async function optionsOf(flags: EnvelopeFlags): Promise<EnvelopeOptions> {
  const { webhook, ttl } = flags;
  const executionTimeout = flags["execution-timeout"];
  const s3Path = flags["s3-config"];
  return {
    ...(webhook === undefined ? {} : { webhook }),
    ...(executionTimeout === undefined
      ? {}
      : { executionTimeoutMs: durationOf("execution-timeout", executionTimeout) }),
    ...(ttl === undefined ? {} : { ttlMs: durationOf("ttl", ttl) }),
    ...(flags["low-priority"] ? { lowPriority: true } : {}),
    ...(s3Path === undefined ? {} : { s3Config: await readGivenFile("s3-config", s3Path) }),
  };
}

function usage(text: string): ReadbackError {
  return new ReadbackError("usage_error", text, { followUp: "readback serverless run --help" });
}
