import { buildEnvelope, type EnvelopeOptions } from "../api/envelope.ts";
import { type JsonText, textOfJson } from "../json-value.ts";
import type { Ops } from "../ops.ts";
import { engineOf } from "../run/engine.ts";
import type { Job } from "../run/job.ts";

export interface RunOptions extends EnvelopeOptions {}

/**
 * Submits one job to an endpoint the person named, on `/run`; it bills. The input goes out as it is written. A submit is
 * never repeated: without an answer the job's id is unknown. In a dry run the job is a stand-in.
 *
 * @param endpoint endpoint id, as `arg.endpoint()` gives it
 * @param input a plain object, or what `arg.json()` gives
 * @throws undeclared_mutation, endpoint_not_named - refused before anything is sent
 * @throws usage_error - the input is no JSON object or too large, or the endpoint has no queue
 * @throws call_timeout, network_error - no answer: a job may run; it must not be submitted again blindly
 * @example
 * ```ts
 * const job = await run(ops, endpoint, { prompt: "hi" }); // needs mutates: ["run"]
 * const { output } = await waitFor(ops, job, { budgetMs: 60_000 });
 * ```
 */
export async function run(
  ops: Ops<"run">,
  endpoint: string,
  input: JsonText | object,
  options: RunOptions = {},
): Promise<Job> {
  const envelope = buildEnvelope(textOfJson(input), options);
  return await engineOf(ops).submit({ endpoint, envelope, proof: "read" });
}
