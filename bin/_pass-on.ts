import type { Reply } from "../lib/api/client.ts";
import { replyDocument } from "../lib/api/document.ts";
import { maskEnv, stringifyLossless } from "../lib/api/json.ts";

export interface PassOnOptions {
  /** Continues "Cannot …" in an error. */
  readonly what: string;
  /** False masks the values of every `env`. */
  readonly showSecrets: boolean;
}

/** Gives a reply's JSON as it came, numbers included, laid out for reading. @throws api_error - it is no JSON */
export function passOn(reply: Reply, { what, showSecrets }: PassOnOptions): string {
  const document = replyDocument(reply, what, { lossless: true });
  return stringifyLossless(showSecrets ? document : maskEnv(document));
}
