import type { LookClient, Reply } from "./api/client.ts";
import { readEndpoint } from "./api/control.ts";
import { isReadbackError } from "./errors.ts";

/** The endpoint that a person meant. */
export interface ResolvedEndpoint {
  readonly id: string;
  /** The endpoint's JSON as just read. */
  readonly text: string;
  /** The whole reply. */
  readonly reply: Reply;
}

/**
 * Finds the endpoint that a person named by id or by name. An id wins over a name; a name counts when exactly one endpoint
 * bears it. The endpoint is read by its id in either case, so that the answer can serve as a run's first read.
 *
 * @throws not_found - no endpoint of that id or name; near names are listed
 * @throws usage_error - several endpoints bear the name; their ids are listed
 */
export async function resolveEndpoint(client: LookClient, given: string): Promise<ResolvedEndpoint> {
  const byId = await readIfThere(client, given);
  if (byId !== null) return { id: given, text: byId.text, reply: byId };
  const { idByName } = await import("./_id-by-name.ts"); // an id needs none of it
  const id = await idByName(client, given);
  const reply = await readEndpoint(client, id);
  return { id, text: reply.text, reply };
}

async function readIfThere(client: LookClient, id: string): Promise<Reply | null> {
  try {
    return await readEndpoint(client, id);
  } catch (error) {
    if (isReadbackError(error, "not_found")) return null;
    throw error;
  }
}
