import type { Target } from "../../lib/target.ts";

export const KEY = "rpa_TESTKEY0123456789";

/** A target whose two planes are at `url`. */
export function targetAt(url: string, changes: Partial<Target> = {}): Target {
  return {
    controlUrl: url,
    invokeUrl: `${url}/invoke/v2`,
    host: new URL(url).host,
    key: KEY,
    readKey: KEY,
    keySource: "RUNPOD_API_KEY",
    timeoutMs: 5_000,
    ...changes,
  };
}
