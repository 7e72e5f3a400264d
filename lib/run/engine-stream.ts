import { createConsumeClient } from "../api/client.ts";
import { drainStream } from "./drain-stream.ts";
import type { Engine } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";

/** The part of an engine that takes a stream's chunks: only an apply does, since the service hands each out once. */
export function streamSteps(parts: EngineParts): Pick<Engine, "stream"> {
  const { session, mode, clock, signal } = parts;
  return {
    stream: (job, options) =>
      session.step("stream", "look", () =>
        mode.onlyInApply({ step: "stream", text: "what the job's stream gives" }, () => {
          const client = createConsumeClient(parts.target, { ...parts.clientOptions, signal });
          return drainStream(job, options, { client, clock, signal });
        }),
      ),
  };
}
