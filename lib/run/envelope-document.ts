import { parseLossless } from "../api/json.ts";
import { secret } from "../plan/secrets.ts";

/** The body of a submit as it may be shown. */
export interface ShownEnvelope {
  /** Numbers as written; S3 keys masked, of a webhook only its origin. */
  readonly document: unknown;
  /** What must stand in no text: the webhook's address, since it can hold a token in any part but its origin. */
  readonly hidden: readonly string[];
}

/** @param body the body as it is sent, which is JSON */
export function shownEnvelope(body: string): ShownEnvelope {
  const document = parseLossless(body);
  if (typeof document !== "object" || document === null) return { document, hidden: [] };
  const { s3Config, webhook } = document as { s3Config?: object; webhook?: unknown };
  const url = typeof webhook === "string" && URL.canParse(webhook) ? new URL(webhook) : null;
  const shown = url === null ? null : `${url.origin}/***`;
  const bare = url === null || url.href === `${url.origin}/`;
  return {
    document: {
      ...document,
      ...(s3Config === undefined ? {} : { s3Config: allMasked(s3Config) }),
      ...(bare ? {} : { webhook: shown }),
    },
    hidden: bare ? [] : [String(webhook)],
  };
}

function allMasked(config: object): unknown {
  return Object.fromEntries(Object.keys(config).map((key) => [key, secret(false)]));
}
