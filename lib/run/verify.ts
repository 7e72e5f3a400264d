import type { LookClient } from "../api/client.ts";
import { listReleases, readEndpoint } from "../api/control.ts";
import type { Endpoint } from "../api/endpoint.ts";
import { parseReleases } from "../api/releases.ts";
import { parseEndpoint } from "../api/schema.ts";
import type { Clock } from "../clock.ts";
import type { PatchMutation } from "../plan/mutation.ts";
import { type Judgement, judge, type ReadBack } from "../plan/verdict.ts";

/**
 * Waits before each fresh read after a change, in milliseconds. A change may become visible late, how late is not known
 * (runpod-api.md has no figure): 31.5 s in all, then what the last read shows counts.
 */
export const READ_BACK_DELAYS_MS: readonly number[] = [0, 500, 1000, 2000, 4000, 8000, 16_000];

export interface VerifyParts {
  readonly client: LookClient;
  readonly clock: Clock;
  /** Once aborted, one more read is made and none waited for. */
  readonly hurry: AbortSignal;
}

export interface Verified {
  readonly readBack: ReadBack;
  /** The last fresh read; null when none succeeded. */
  readonly after: Endpoint | null;
}

/** Reads an endpoint afresh until its fields hold or the bound is reached, and gives the verdict. */
export async function verify(
  mutation: PatchMutation,
  before: Endpoint,
  parts: VerifyParts,
): Promise<Verified> {
  let last: { judgement: Judgement; after: Endpoint } | null = null;
  let reads = 0;
  for (const delayMs of READ_BACK_DELAYS_MS) {
    if (delayMs > 0 && !(await waited(delayMs, parts))) break;
    reads += 1;
    const after = await freshRead(mutation.endpoint, parts.client);
    if (after === null) continue;
    last = { judgement: judge(before, mutation.request.body, after), after };
    if (isFinal(last.judgement)) break;
  }
  if (last === null) return { readBack: unverifiable(reads), after: null };
  const moved = last.judgement.otherFields.length > 0;
  const by = moved ? await newestReleases(mutation.endpoint, parts.client) : null;
  return { readBack: { ...last.judgement, by, reads }, after: last.after };
}

/** Late visibility explains a value that is not there yet; it does not explain another field that moved. */
function isFinal({ verdict }: Judgement): boolean {
  return verdict === "verified" || verdict === "other_fields_changed" || verdict === "unverifiable";
}

async function waited(delayMs: number, { clock, hurry }: VerifyParts): Promise<boolean> {
  if (hurry.aborted) return false;
  await clock.sleep(delayMs, hurry).catch(() => {});
  return true;
}

/** One attempt: this loop is the only thing that repeats a read-back. */
async function freshRead(id: string, client: LookClient): Promise<Endpoint | null> {
  try {
    return parseEndpoint((await readEndpoint(client, id, { attempts: 1 })).text);
  } catch {
    return null;
  }
}

async function newestReleases(id: string, client: LookClient): Promise<unknown> {
  try {
    const { releases } = parseReleases((await listReleases(client, id, { attempts: 1 })).text);
    return releases
      .slice(0, 3)
      .map(({ version = null, source = null, createdByUserId = null, createdAt }) => ({
        version,
        source,
        createdByUserId,
        createdAt,
      }));
  } catch {
    return null;
  }
}

function unverifiable(reads: number): ReadBack {
  return { verdict: "unverifiable", fields: [], otherFields: [], by: null, reads };
}
