import { createHash } from "node:crypto";

/** `sha256:…` of bytes, or of a text as UTF-8. */
export function digestOf(content: Uint8Array | string): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}
