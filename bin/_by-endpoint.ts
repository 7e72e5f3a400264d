import type { LookClient } from "../lib/api/client.ts";
import { isReadbackError } from "../lib/errors.ts";

/**
 * Reads something of the endpoint that a person named: by id first, without a read of the endpoint itself; what is not
 * found by id is looked up by name.
 *
 * @throws not_found, usage_error - as `resolveEndpoint`; what `read` throws
 */
export async function readByEndpoint<T>(
  client: LookClient,
  given: string,
  read: (id: string) => Promise<T>,
): Promise<T> {
  try {
    return await read(given);
  } catch (error) {
    if (!isReadbackError(error, "not_found")) throw error;
  }
  const { resolveEndpoint } = await import("../lib/resolve.ts");
  return await read((await resolveEndpoint(client, given)).id);
}
