import type { CallOptions, LookClient } from "./api/client.ts";
import { listEndpoints, mayBePartial } from "./api/control.ts";
import { replyDocument } from "./api/document.ts";
import { ReadbackError } from "./errors.ts";
import { nearestAll } from "./near.ts";

/** An entry of the list, with all that the service says of it. */
export interface Listed {
  readonly id: string;
  readonly name: string;
}

const MOST_NAMES = 5;

/** The one endpoint that bears a name, as the list shows it. @throws not_found, usage_error */
export async function endpointByName(
  client: LookClient,
  name: string,
  options: Omit<CallOptions, "what"> = {},
): Promise<Listed> {
  const reply = await listEndpoints(client, options);
  const document = replyDocument(reply, "list endpoints", { lossless: true });
  const listed = endpointsOf(document);
  const bearers = listed.filter((endpoint) => endpoint.name === name);
  const [only] = bearers;
  if (listed.some(({ id }) => id === name)) throw listedButGone(name);
  if (only === undefined) throw notFound(name, listed, mayBePartial(document));
  if (bearers.length > 1) throw ambiguous(name, bearers);
  return only;
}

/** Reads ids and names alone, so that one odd endpoint does not hide the others. */
function endpointsOf(document: unknown): readonly Listed[] {
  const list = (document as { endpoints?: unknown } | null)?.endpoints;
  if (!Array.isArray(list)) {
    throw new ReadbackError("api_error", "Cannot list endpoints: the answer has no list of endpoints");
  }
  return list.filter(
    (entry): entry is Listed => typeof entry?.id === "string" && typeof entry?.name === "string",
  );
}

function notFound(given: string, listed: readonly Listed[], partial: boolean): ReadbackError {
  const near = nearNames(given, listed);
  const hint = near.length > 0 ? `; near names: ${near.join(", ")}` : "";
  const capped = partial || isRound(listed.length) ? ", and the list may be capped: give its id" : "";
  return new ReadbackError(
    "not_found",
    `There is no endpoint "${given}" by id or by name (searched ${listed.length} endpoints${capped})${hint}`,
    { status: 404, followUp: "readback serverless list", details: { endpoint: given, near } },
  );
}

/** The read by id came first, and was answered with 404. */
function listedButGone(id: string): ReadbackError {
  return new ReadbackError(
    "not_found",
    `The list has an endpoint ${id}, but reading it by its id was answered with 404; it was just deleted or created, or something on the way answered for the API`,
    { status: 404, followUp: `readback serverless get ${id}`, details: { endpoint: id } },
  );
}

/** A list that ends at a round number may have been cut there, without a sign of it. */
function isRound(count: number): boolean {
  return count >= 100 && count % 100 === 0;
}

/** Names that are a mistyping away or hold the word, and ids that are a mistyping away. */
function nearNames(given: string, listed: readonly Listed[]): readonly string[] {
  const word = given.toLowerCase();
  const names = listed.map(({ name }) => name);
  const holding = names.filter((name) => word.length >= 3 && name.toLowerCase().includes(word));
  const ids = nearestAll(
    given,
    listed.map(({ id }) => id),
  );
  return [...new Set([...nearestAll(given, names), ...holding, ...ids])].slice(0, MOST_NAMES);
}

function ambiguous(given: string, bearers: readonly Listed[]): ReadbackError {
  const ids = bearers.map(({ id }) => id);
  return new ReadbackError(
    "usage_error",
    `"${given}" is the name of ${ids.length} endpoints; give the id of the one you mean: ${ids.join(", ")}`,
    { details: { endpoint: given, ids } },
  );
}
