import { isReadbackError, ReadbackError } from "../errors.ts";
import type { CallOptions, ChangeClient, PreparedChange } from "./client.ts";
import { describeBody } from "./describe-body.ts";
import type { Permit } from "./gate.ts";
import { readJobState } from "./job-text.ts";
import { isJson } from "./json-text.ts";
import { withPayload } from "./payload-error.ts";
import type { Reply } from "./wire.ts";

/** A job that the service took. */
export interface Submitted {
  /** Taken from the reply to the submit, once; no later reply changes it. */
  readonly job: string;
  /** Null where the reply has none. */
  readonly status: string | null;
  /** The reply as it came. */
  readonly text: string;
}

export interface SubmitOptions extends Omit<CallOptions, "what"> {
  readonly endpoint: string;
}

/**
 * Sends a submit once and gives the job's id. Only a submit that the rate limit turned away, or for which no connection
 * was made, is sent again.
 *
 * @throws call_timeout, network_error, server_error or interrupted with `details.submitted: "unknown"` when no answer
 * tells whether a job exists; api_error, with the payload, when the answer has no job id; what else `change` throws
 */
export async function submitJob(
  client: ChangeClient,
  request: PreparedChange,
  permit: Permit,
  options: SubmitOptions,
): Promise<Submitted> {
  const { endpoint, ...call } = options;
  try {
    const what = `submit a job to endpoint "${endpoint}"`;
    return readSubmit(await client.change(request, permit, { ...call, what }), endpoint);
  } catch (error) {
    if (!isReadbackError(error) || error.details["submitted"] !== "unknown" || error.followUp !== null)
      throw error;
    throw unknownJob(error, endpoint);
  }
}

/** Reads the id off the reply to a submit. @throws api_error, with the payload, when it has none */
export function readSubmit(reply: Reply, endpoint: string): Submitted {
  const state = readJobState(reply.text);
  if (state?.id) return { job: state.id, status: state.status, text: reply.text };
  const found = state === null ? `${describeBody(reply)} instead of a job` : "without a job id";
  const text = `The reply to the submit to endpoint "${endpoint}" (HTTP ${reply.status}) is ${found}`;
  throw withPayload("api_error", `${text}; ${ADVICE}: ${healthOf(endpoint)}`, {
    status: reply.status,
    followUp: healthOf(endpoint),
    details: { endpoint, submitted: "unknown" },
    payload: isJson(reply.text) ? reply.text : null,
  });
}

const ADVICE =
  "the job id is unknown, a job may exist and bill, and it must not be repeated blindly; look at inQueue and inProgress first";

export function unknownJob(error: ReadbackError, endpoint: string): ReadbackError {
  return new ReadbackError(error.code, `${error.message}; ${ADVICE}: ${healthOf(endpoint)}`, {
    retryable: false,
    status: error.status,
    followUp: healthOf(endpoint),
    details: { ...error.details, endpoint },
    cause: error,
  });
}

function healthOf(endpoint: string): string {
  return `readback serverless health ${endpoint}`;
}
