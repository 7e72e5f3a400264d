import { ReadbackError } from "../../lib/errors.ts";
import { defineCommand } from "../_command.ts";
import { printText } from "../_output.ts";
import { shellLine } from "../_quote.ts";
import { makeSandbox } from "../_sandbox.ts";
import { sessionOf } from "../_session.ts";

export default defineCommand({
  meta: { name: "sandbox", description: "start the local Runpod, until Ctrl-C or SIGTERM" },
  args: {
    port: { type: "string", valueHint: "N", description: "port on 127.0.0.1 (default: a free one)" },
    scenario: { type: "string", valueHint: "NAME", description: "world to start in (default healthy)" },
    speed: {
      type: "string",
      valueHint: "N",
      description: "how many times faster its clock runs (default 1)",
    },
    json: { type: "boolean", description: 'print one JSON line, {"url":…,"env":{…}}' },
  },
  async run(context) {
    const { port, scenario, speed, json } = context.args;
    const options = {
      scenario: scenario ?? "healthy",
      speed: numberOf("speed", speed, { min: 0.001, fallback: 1 }),
    };
    const listenOn = numberOf("port", port, { min: 0, max: 65_535, whole: true, fallback: 0 });
    const sandbox = await makeSandbox(options);
    const { serve } = await import("../../lib/sandbox/mod.ts");
    const served = await serve(sandbox, { port: listenOn }).catch((error: unknown) => {
      throw cannotListen(listenOn, error);
    });
    printText(json ? JSON.stringify({ url: served.url, env: served.env }) : exportLines(served.env));
    sessionOf(context).mayEndBySignal();
    await aborted(sessionOf(context).signal);
    await served.close();
  },
});

/** Lines for a shell: `eval "$(…)"` points any client at the sandbox. */
function exportLines(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `export ${name}=${shellLine([value])}`)
    .join("\n");
}

interface Bounds {
  readonly min: number;
  readonly max?: number;
  readonly whole?: boolean;
  readonly fallback: number;
}

function numberOf(flag: string, text: string | undefined, { min, max, whole, fallback }: Bounds): number {
  if (text === undefined) return fallback;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  const fits =
    value >= min && (max === undefined || value <= max) && (whole !== true || Number.isInteger(value));
  if (fits) return value;
  const expected = `a ${whole === true ? "whole " : ""}number of at least ${min}${max === undefined ? "" : ` and at most ${max}`}`;
  throw new ReadbackError(
    "usage_error",
    `Cannot use --${flag} ${JSON.stringify(text)}: expected ${expected}`,
  );
}

function cannotListen(port: number, cause: unknown): ReadbackError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : String(cause);
  const why = code === "EADDRINUSE" ? "the port is in use" : code;
  return new ReadbackError("usage_error", `Cannot listen on 127.0.0.1:${port}: ${why}`, { cause });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
