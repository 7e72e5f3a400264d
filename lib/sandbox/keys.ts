import { createRandom, drawId } from "./random.ts";
import { type Reply, refuse } from "./reply.ts";
import type { InferredRules } from "./rules.ts";

/** The keys that a sandbox knows. None of them is one of Runpod's. */
export interface SandboxKeys {
  readonly full: string;
  /** Reads; 403 for anything else. */
  readonly readOnly: string;
  /** Valid, and without access to anything: 403. */
  readonly noAccess: string;
}

/** The keys of a seed. */
export function createKeys(seed: number): SandboxKeys {
  const random = createRandom(seed, "keys");
  const key = (kind: string) => `rpa_SANDBOX${kind}${drawId(random, 24).toUpperCase()}`;
  return { full: key(""), readOnly: key("READONLY"), noAccess: key("NOACCESS") };
}

/** The refusal of a request whose key does not allow it, or null (runpod-api.md 1.2 and 2.2). */
export function refuseKey(
  request: { method: string; authorization: string | undefined },
  keys: SandboxKeys,
): Reply | null {
  const key = /^Bearer (\S+)$/i.exec(request.authorization ?? "")?.[1];
  if (key === undefined) return refuse({ status: 401, detail: "missing bearer token" });
  if (key === keys.full || (key === keys.readOnly && request.method === "GET")) return null;
  return key === keys.readOnly || key === keys.noAccess
    ? refuse({ status: 403, detail: "access denied" })
    : refuse({ status: 401, detail: "invalid bearer token" });
}

/** The invoke plane's refusal: it takes the key with and without `Bearer` (runpod-api.md 1.2 and 3.7). */
export function refuseInvokeKey(
  request: { method: string; authorization: string | undefined },
  keys: SandboxKeys,
  rules: Pick<InferredRules, "invokeNoAccess">,
): Reply | null {
  const key = (request.authorization ?? "").replace(/^Bearer /i, "");
  if (key === keys.full || (key === keys.readOnly && request.method === "GET")) return null;
  const isKnown = key === keys.readOnly || key === keys.noAccess;
  return isKnown && rules.invokeNoAccess === 403
    ? refuse({ status: 403, detail: "forbidden" })
    : refuse({ status: 401, detail: "unauthorized" });
}
