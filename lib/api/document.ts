import { ReadbackError } from "../errors.ts";
import { describeBody } from "./describe-body.ts";
import { parseLossless } from "./json.ts";
import type { Reply } from "./wire.ts";

/**
 * Gives the JSON document of a successful reply. `lossless` keeps numbers as they were written, for documents that are
 * passed on; what Readback computes with is parsed plainly.
 *
 * @throws api_error when the body is no JSON; it says what came instead and never shows it
 */
export function replyDocument(
  reply: Reply,
  what: string,
  options: { readonly lossless?: boolean } = {},
): unknown {
  try {
    return options.lossless === true ? parseLossless(reply.text) : JSON.parse(reply.text);
  } catch {
    const text = `Cannot ${what}: the answer (HTTP ${reply.status}) is ${describeBody(reply)} instead of JSON`;
    throw new ReadbackError("api_error", text, { status: reply.status });
  }
}
