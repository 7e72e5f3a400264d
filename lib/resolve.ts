import type { LookClient, Reply } from "./api/client.ts";
import { listEndpoints, mayBePartial, readEndpoint } from "./api/control.ts";
import { replyDocument } from "./api/document.ts";
import { stringifyLossless } from "./api/json.ts";
import { isReadbackError, ReadbackError } from "./errors.ts";

/** The endpoint that a person meant. */
export interface ResolvedEndpoint {
  readonly id: string;
  /** The endpoint's JSON as just read. */
  readonly text: string;
}

interface Listed {
  readonly id: string;
  readonly name: string;
}

const MOST_NAMES = 5;

/**
 * Finds the endpoint that a person named by id or by name. An id wins over a name; a name counts when exactly one endpoint
 * bears it, and is then taken as the list shows it. Either answer can serve as a run's first read.
 *
 * @throws not_found - no endpoint of that id or name; near names are listed
 * @throws usage_error - several endpoints bear the name; their ids are listed
 */
export async function resolveEndpoint(client: LookClient, given: string): Promise<ResolvedEndpoint> {
  const byId = await readIfThere(client, given);
  if (byId !== null) return { id: given, text: byId.text };
  const document = replyDocument(await listEndpoints(client), "list endpoints", { lossless: true });
  const listed = endpointsOf(document);
  const bearers = listed.filter((endpoint) => endpoint.name === given);
  const [only] = bearers;
  if (only === undefined) throw await notFound(given, listed, mayBePartial(document));
  if (bearers.length > 1) throw ambiguous(given, bearers);
  return { id: only.id, text: stringifyLossless(only) };
}

async function readIfThere(client: LookClient, id: string): Promise<Reply | null> {
  try {
    return await readEndpoint(client, id);
  } catch (error) {
    if (isReadbackError(error, "not_found")) return null;
    throw error;
  }
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

async function notFound(given: string, listed: readonly Listed[], partial: boolean): Promise<ReadbackError> {
  const near = await nearNames(given, listed);
  const hint = near.length > 0 ? `; near names: ${near.join(", ")}` : "";
  const capped = partial || isRound(listed.length) ? ", and the list may be capped: give its id" : "";
  return new ReadbackError(
    "not_found",
    `There is no endpoint "${given}" by id or by name (searched ${listed.length} endpoints${capped})${hint}`,
    { status: 404, followUp: "readback serverless list", details: { endpoint: given, near } },
  );
}

/** A list that ends at a round number may have been cut there, without a sign of it. */
function isRound(count: number): boolean {
  return count >= 100 && count % 100 === 0;
}

/** Names that are a mistyping away or hold the word, and ids that are a mistyping away. */
async function nearNames(given: string, listed: readonly Listed[]): Promise<readonly string[]> {
  const { nearestAll } = await import("./near.ts"); // most looks find what they look for
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
