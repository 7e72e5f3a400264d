import { parseLossless } from "../api/json.ts";
import { secret } from "../plan/secrets.ts";

/** The body of a submit as documents show it: numbers as written, S3 keys masked. */
export function envelopeDocument(body: string): unknown {
  const document = parseLossless(body);
  if (typeof document !== "object" || document === null || !("s3Config" in document)) return document;
  const { s3Config } = document;
  const masked = Object.keys(s3Config as object).map((key) => [key, secret(false)]);
  return { ...document, s3Config: Object.fromEntries(masked) };
}
