import { createHash } from "node:crypto";
import type { Endpoint } from "../api/endpoint.ts";
import { fieldsOf } from "../plan/fields.ts";

/** `sha256:…` of an endpoint's settings in a fixed order. Of env only the names count: a hash of a short secret could be guessed. */
export function fingerprintOf(endpoint: Endpoint): string {
  const fields = [...fieldsOf(endpoint)]
    .map(([path, value]) => [path, path.startsWith("env.") ? null : value])
    .sort(([a], [b]) => (String(a) < String(b) ? -1 : 1));
  return `sha256:${createHash("sha256").update(JSON.stringify(fields)).digest("hex")}`;
}
