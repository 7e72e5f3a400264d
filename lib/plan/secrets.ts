import { isRawJson } from "./json-problem.ts";

/** What stands in a document for a value that nobody may see. `same`: whether the change leaves it as it is. */
export interface SecretMark {
  readonly secret: true;
  readonly same: boolean;
}

/** The mark for one secret value. */
export function secret(same: boolean): SecretMark {
  return { secret: true, same };
}

/** True for `{{ RUNPOD_SECRET_x }}`: it names a secret and is none. */
export function isSecretReference(value: unknown): boolean {
  return typeof value === "string" && /^\s*\{\{\s*RUNPOD_SECRET_\w+\s*\}\}\s*$/.test(value);
}

/** True for a name such as `HF_TOKEN`, `apiKey` or `db-password`; `MODEL_KEYWORDS` is none. */
export function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return words.some((word) => SECRET_WORDS.has(word));
}

const SECRET_WORDS: ReadonlySet<string> = new Set([
  ...["key", "apikey", "token", "secret", "password", "passwd", "passphrase", "credential", "credentials"],
  ...["accesssecret", "secretaccesskey", "bearer", "authorization"],
]);

/** Masks every `env` map and every value of a secret name, at any depth, for documents that a recipe's value goes into. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (typeof value !== "object" || value === null || isRawJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === "env" ? maskAll(inner) : maskNamed(key, inner),
    ]),
  );
}

function maskNamed(key: string, value: unknown): unknown {
  const leaf = typeof value === "string" || typeof value === "number";
  return leaf && isSecretName(key) ? secret(true) : withoutSecrets(value);
}

function maskAll(env: unknown): unknown {
  if (typeof env === "string") return secret(true);
  if (typeof env !== "object" || env === null) return env;
  return Object.fromEntries(Object.keys(env).map((key) => [key, secret(true)]));
}
