import { ReadbackError } from "../lib/errors.ts";
import type { Report } from "./_report.ts";

/** After this long without an end of input a person is told what is waited for, in milliseconds. */
const TELL_AFTER_MS = 2_000;

/** Reads stdin whole, as text; only a command that was told to does that. @throws usage_error, interrupted */
export async function readStdin(
  flag: string,
  { report, signal }: { readonly report: Report; readonly signal: AbortSignal },
): Promise<string> {
  const { stdin } = await import("node:process");
  const timer = setTimeout(() => report.note(`${flag} -: waiting for the end of stdin`), TELL_AFTER_MS);
  try {
    return await new Promise<string>((resolve, reject) => {
      const parts: Uint8Array[] = [];
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      stdin.on("data", (part: Uint8Array) => parts.push(part));
      stdin.once("end", () => resolve(textOf(parts, flag)));
      stdin.once("error", reject);
    });
  } finally {
    clearTimeout(timer);
    stdin.pause();
  }
}

function textOf(parts: readonly Uint8Array[], flag: string): string {
  return decodeUtf8(Buffer.concat(parts), `${flag} -`);
}

/** Bytes as text. @throws usage_error - they are no UTF-8 */
export function decodeUtf8(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ReadbackError("usage_error", `${source} is not UTF-8 text`, { cause });
  }
}
