import type { Endpoint } from "../api/endpoint.ts";
import { ReadbackError } from "../errors.ts";

/**
 * Refuses what needs a queue on a load balancer endpoint, which has none (runpod-api.md 4.8).
 *
 * @param doing continues "Cannot …": `submit a job to`
 * @throws usage_error
 */
export function assertHasQueue(
  endpoint: Pick<Endpoint, "id" | "name" | "type" | "requestUrls">,
  doing: string,
): void {
  if (endpoint.type !== "LOAD_BALANCER") return;
  const base = endpoint.requestUrls?.["base"];
  const call = base === undefined ? "" : `; call ${base}/<path>`;
  throw new ReadbackError(
    "usage_error",
    `Cannot ${doing} ${endpoint.name} (${endpoint.id}): it is a load-balancer endpoint: no queue${call}`,
    { details: { endpoint: endpoint.id } },
  );
}
