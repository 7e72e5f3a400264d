import type { CallOptions, LookClient, Reply } from "./api/client.ts";
import { readEndpoint } from "./api/control.ts";
import { isReadbackError } from "./errors.ts";

/** The endpoint that a person meant. */
export interface ResolvedEndpoint {
  readonly id: string;
  /** The endpoint's JSON as just read. */
  readonly text: string;
}

/**
 * Finds the endpoint that a person named by id or by name. An id wins over a name; a name counts when exactly one endpoint
 * bears it, and is then taken as the list shows it. Either answer can serve as a run's first read.
 *
 * @throws not_found - no endpoint of that id or name; near names are listed
 * @throws usage_error - several endpoints bear the name; their ids are listed
 */
export async function resolveEndpoint(
  client: LookClient,
  given: string,
  options: Omit<CallOptions, "what"> = {},
): Promise<ResolvedEndpoint> {
  const byId = await readIfThere(client, given, options);
  if (byId !== null) return { id: given, text: byId.text };
  return await resolveByName(client, given, options);
}

/** Finds the endpoint that alone bears a name, for who has tried the id. @throws not_found, usage_error */
export async function resolveByName(
  client: LookClient,
  name: string,
  options: Omit<CallOptions, "what"> = {},
): Promise<ResolvedEndpoint> {
  const { endpointByName } = await import("./_endpoint-by-name.ts"); // an id needs none of it
  const endpoint = await endpointByName(client, name, options);
  return { id: endpoint.id, text: JSON.stringify(endpoint) };
}

async function readIfThere(
  client: LookClient,
  id: string,
  options: Omit<CallOptions, "what">,
): Promise<Reply | null> {
  try {
    return await readEndpoint(client, id, options);
  } catch (error) {
    if (isReadbackError(error, "not_found")) return null;
    throw error;
  }
}
