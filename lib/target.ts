/** Environment variables as a value. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whom Readback talks to, and as whom. */
export interface Target {
  /** Base of the control plane without a trailing slash and without `/v2`: `https://api.runpod.io`. */
  readonly controlUrl: string;
  /** Base of the invoke plane without a trailing slash, with `/v2`: `https://api.runpod.ai/v2`. */
  readonly invokeUrl: string;
  /** Host of the control plane, with its port where it has one: `127.0.0.1:8787`. */
  readonly host: string;
  /** The key for changes; empty when there is none. */
  readonly key: string;
  /** The key for looks: `RUNPOD_READ_ONLY_API_KEY` when set, else `key`. */
  readonly readKey: string;
  /** Where `key` came from (`RUNPOD_API_KEY`, `~/.runpod/config.toml`), or `readKey` when there is only that. */
  readonly keySource: string;
  /** Deadline of each single call in milliseconds. */
  readonly timeoutMs: number;
}
