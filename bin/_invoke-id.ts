import type { CallOptions, LookClient } from "../lib/api/client.ts";
import type { Endpoint } from "../lib/api/endpoint.ts";
import { isReadbackError } from "../lib/errors.ts";
import { assertHasQueue } from "../lib/plan/has-queue.ts";
import { resolveEndpoint } from "../lib/resolve.ts";

export interface InvokeIdOptions {
  readonly note: (text: string) => void;
  /** Continues "Cannot …" for an endpoint without a queue; absent where none is needed. */
  readonly needsQueue?: string;
  readonly call?: Omit<CallOptions, "what">;
  /** True inside a wait, which must not be spent on this. @default false */
  readonly hurry?: boolean;
}

/** The control plane could not be asked: it may be closed to this key, or out of order, while jobs go on. */
const CANNOT_ASK = ["forbidden", "server_error", "network_error", "api_error"];
/** Inside a wait it may take too long as well. */
const TOO_SLOW = ["call_timeout", "rate_limited"];

/**
 * The id of an endpoint that a look at jobs names. The control plane decides what exists and what bears a name; where it
 * cannot be asked, what was given is taken for an id.
 *
 * @throws not_found; usage_error - several endpoints bear the name, or it has no queue
 */
export async function invokeId(client: LookClient, given: string, options: InvokeIdOptions): Promise<string> {
  try {
    const { id, text } = await resolveEndpoint(client, given, options.call);
    if (options.needsQueue !== undefined) assertHasQueue(JSON.parse(text) as Endpoint, options.needsQueue);
    return id;
  } catch (error) {
    const passed = options.hurry === true ? [...CANNOT_ASK, ...TOO_SLOW] : CANNOT_ASK;
    if (!isReadbackError(error) || !passed.includes(error.code)) throw error;
    options.note(
      `taking ${JSON.stringify(given)} for an endpoint's id, since nothing says otherwise: ${error.message}`,
    );
    return given;
  }
}
