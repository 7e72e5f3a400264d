import type { Reply } from "../lib/api/client.ts";

export interface PassOnOptions {
  /** Continues "Cannot …" in an error. */
  readonly what: string;
  /** False masks the values of every `env`. */
  readonly showSecrets: boolean;
}

/** Gives a reply's JSON as it came, numbers included, laid out for reading. @throws api_error - it is no JSON */
export async function passOn(reply: Reply, { what, showSecrets }: PassOnOptions): Promise<string> {
  const { replyDocument } = await import("../lib/api/document.ts");
  const { maskEnv, stringifyLossless } = await import("../lib/api/json.ts");
  const document = replyDocument(reply, what, { lossless: true });
  return stringifyLossless(showSecrets ? document : maskEnv(document));
}
