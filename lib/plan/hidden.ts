import type { Endpoint } from "../api/endpoint.ts";
import { isRawJson } from "./json-problem.ts";
import type { Mutation } from "./mutation.ts";
import { isSecretName, isSecretReference, secret, withoutSecrets } from "./secrets.ts";

/** What stands for a hidden value in a text. */
const MASK = "***";
/** A shorter value says nothing by itself, and would be found everywhere. */
const SHORTEST = 6;

/** The values of env and the webhooks that a plan would set: a person may have typed them as arguments. */
export function plannedSecrets(mutations: readonly Mutation[]): readonly string[] {
  return mutations.flatMap((mutation) => {
    if (mutation.kind === "shell") return [];
    if (mutation.kind !== "patch") return mutation.hidden;
    const old = mutation.before.env ?? {};
    return Object.entries(mutation.request.body.env ?? {})
      .filter(([key, value]) => old[key] !== value && !isSecretReference(value))
      .map(([, value]) => value);
  });
}

/** The values of env under secret names such as `HF_TOKEN`, long enough to be told from other text. */
export function endpointSecrets(endpoints: readonly Endpoint[]): readonly string[] {
  return endpoints.flatMap(({ env }) =>
    Object.entries(env ?? {})
      .filter(([key, value]) => isSecretName(key) && !isSecretReference(value) && value.length >= SHORTEST)
      .map(([, value]) => value),
  );
}

/** Arguments without secrets: those of secret names, and those that are or hold a value that would be set in env. */
export function maskedArgs(
  args: Readonly<Record<string, unknown>>,
  hidden: readonly string[],
): Record<string, unknown> {
  const clean = withoutSecrets(args) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(clean).map(([key, value]) => [key, holds(args[key], hidden) ? secret(false) : value]),
  );
}

/** The words of a command line with the same left out. */
export function maskedWords(words: readonly string[], hidden: readonly string[]): readonly string[] {
  return words.map((word, i) => {
    const flag = /^--([^=]+)(=)?/.exec(words[i - 1] ?? "");
    const named =
      flag !== null && flag[2] === undefined && isSecretName(flag[1] ?? "") && !word.startsWith("--");
    const own = /^--([^=]+)=/.exec(word);
    if (own && isSecretName(own[1] ?? "")) return `--${own[1]}=${MASK}`;
    return named || holds(word, hidden) ? MASK : word;
  });
}

/** A text with hidden values left out. */
export function maskedText(text: string, hidden: readonly string[]): string {
  return hidden
    .filter((value) => value !== "")
    .reduce((masked, value) => masked.replaceAll(value, MASK), text);
}

/** Any value with hidden values left out of its texts. */
export function maskedValue(value: unknown, hidden: readonly string[]): unknown {
  if (typeof value === "string") return maskedText(value, hidden);
  if (Array.isArray(value)) return value.map((item) => maskedValue(item, hidden));
  if (typeof value !== "object" || value === null || isRawJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, maskedValue(inner, hidden)]));
}

function holds(value: unknown, hidden: readonly string[]): boolean {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return hidden.some(
    (one) =>
      one !== "" &&
      (text === one || (one.length >= SHORTEST && text.includes(JSON.stringify(one).slice(1, -1)))),
  );
}
