import * as v from "valibot";
import type { FlashBoot } from "./api/endpoint.ts";
import { isJson } from "./api/json-text.ts";
import { type JsonText, jsonText } from "./json-value.ts";

/** How an argument is given on the command line. */
export type ArgKind = "endpoint" | "read" | "endpoints" | "job" | "value" | "flag";

/** One argument of a recipe: a kind, a parser for what the person typed, and the words for the help. */
export interface Arg<T> {
  readonly kind: ArgKind;
  /** What stands for the value in the help, such as `NAME`. */
  readonly placeholder: string;
  readonly schema: v.GenericSchema<unknown, T>;
  readonly required: boolean;
  readonly description: string;
  /** The choices of `arg.choice`, for help and completion. */
  readonly choices: readonly string[];
  /** Other names that the person may give it by, in camelCase. */
  readonly aliases: readonly string[];
}

/** Bounds of a duration, in milliseconds. */
export interface DurationBounds {
  readonly minMs?: number;
  readonly maxMs?: number;
  /** What it must be a multiple of. @default 1 */
  readonly stepMs?: number;
}

/** What `run` receives for a record of args. */
export type ArgValues<A extends Record<string, Arg<unknown>>> = {
  readonly [K in keyof A]: A[K] extends Arg<infer T> ? T : never;
};

/** A recipe's arguments: one definition gives the types, the flags, the help and the messages. */
export const arg = {
  /** An endpoint the person names, by id or by name; the value is its id. Only such endpoints can be changed. */
  endpoint: (description = "endpoint, by id or by name"): Arg<string> =>
    make("endpoint", "ENDPOINT", name("an endpoint's id or name"), description),
  /** An endpoint as the person typed it, for a step that looks it up beside its other reads. It cannot be changed. */
  endpointToRead: (description = "endpoint, by id or by name"): Arg<string> =>
    make("read", "ENDPOINT", name("an endpoint's id or name"), description),
  /** One or more endpoints, by id or by name; the value is their ids. */
  endpoints: (description = "endpoints, by id or by name"): Arg<readonly string[]> =>
    make(
      "endpoints",
      "ENDPOINT",
      v.pipe(v.array(name("an endpoint's id or name")), v.minLength(1)),
      description,
    ),
  /** A job id. */
  job: (description = "job id"): Arg<string> => make("job", "JOB", name("a job id"), description),
  /** A GPU type, by id (`NVIDIA L40S`) or display name (`L40S`); the live catalog decides. */
  gpuType: (description = "GPU type, by id or display name"): Arg<string> =>
    make("value", "GPU", name("a GPU type such as NVIDIA L40S"), description),
  /** A CUDA version, `major.minor`. */
  cudaVersion: (description = "CUDA version, major.minor"): Arg<string> =>
    make("value", "VERSION", cudaVersion(), description),
  /** A whole number. */
  integer: (bounds: { min?: number; max?: number } = {}, description = "whole number"): Arg<number> =>
    make("value", "N", integer(bounds.min ?? 0, bounds.max ?? Number.MAX_SAFE_INTEGER), description),
  /** A decimal number such as `0.5`. */
  number: (description = "number"): Arg<number> => make("value", "N", decimal(), description),
  /** A duration such as `90s` or `5m`, in milliseconds; a bare number is seconds. */
  duration: (description = "duration such as 90s or 5m", bounds: DurationBounds = {}): Arg<number> =>
    make("value", "DURATION", duration(bounds), description),
  /** `off`, `on` or `priority`; the value is as the API words it (runpod-api.md 2.4). */
  flashBoot: (description = "how workers start from a kept state"): Arg<FlashBoot> => ({
    ...make("value", Object.keys(FLASH_BOOT).join("|"), flashBoot(), description),
    choices: Object.keys(FLASH_BOOT),
  }),
  /** One of the given words. */
  choice: <const C extends readonly string[]>(
    words: C,
    description: string = words.join(" | "),
  ): Arg<C[number]> => ({
    ...make("value", words.join("|"), choice(words), description),
    choices: words,
  }),
  /** Any text that is not empty. */
  string: (description = "text"): Arg<string> => make("value", "TEXT", name("a text"), description),
  /** A switch; absent is false. */
  flag: (description = "switch"): Arg<boolean> => ({
    ...make("flag", "", v.optional(v.boolean("takes no value"), false), description),
    required: false,
  }),
  /** JSON text of an object or another value; it is sent on as it is written, numbers and order of keys included. */
  json: (description = "JSON"): Arg<JsonText> => make("value", "JSON", json(), description),
  /** Several values, separated by commas. */
  list: <T>(item: Arg<T>): Arg<readonly T[]> =>
    make("value", `${item.placeholder}[,…]`, list(item.schema), item.description),
  /** Gives an argument a second name: `arg.alias(x, "minWorkers")` also takes `--min-workers`. */
  alias: <T>(inner: Arg<T>, ...names: readonly string[]): Arg<T> => ({
    ...inner,
    aliases: [...inner.aliases, ...names],
  }),
  /** Makes an argument optional; the value is undefined when it is not given. */
  optional: <T>(inner: Arg<T>): Arg<T | undefined> => ({
    ...inner,
    required: false,
    schema: v.optional(inner.schema),
  }),
  /** Gives an argument a default, written as the person would write it. */
  withDefault: <T>(inner: Arg<T>, value: string): Arg<T> => ({
    ...inner,
    required: false,
    description: `${inner.description} (default ${value})`,
    schema: v.optional(inner.schema, value) as v.GenericSchema<unknown, T>,
  }),
} as const;

function make<T>(
  kind: ArgKind,
  placeholder: string,
  schema: v.GenericSchema<unknown, T>,
  description: string,
): Arg<T> {
  return { kind, placeholder, schema, required: true, description, choices: [], aliases: [] };
}

function name(what: string): v.GenericSchema<unknown, string> {
  return v.pipe(
    v.string(`expected ${what}`),
    v.check((text) => text.trim() !== "", `expected ${what}, got nothing`),
  );
}

function cudaVersion(): v.GenericSchema<unknown, string> {
  return v.pipe(v.string(), v.regex(/^\d+\.\d+$/, "expected major.minor such as 12.4"));
}

function integer(min: number, max: number): v.GenericSchema<unknown, number> {
  const expected = `expected a whole number${max === Number.MAX_SAFE_INTEGER ? ` of at least ${min}` : ` from ${min} to ${max}`}`;
  return v.pipe(
    v.string(),
    v.regex(/^(0|[1-9]\d*)$/, expected),
    v.transform(Number),
    v.minValue(min, expected),
    v.maxValue(max, expected),
  );
}

function decimal(): v.GenericSchema<unknown, number> {
  return v.pipe(
    v.string(),
    v.regex(/^(0|[1-9]\d*)(\.\d+)?$/, "expected a number such as 4 or 0.5"),
    v.transform(Number),
  );
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function duration({
  minMs = 0,
  maxMs = Number.MAX_SAFE_INTEGER,
  stepMs = 1,
}: DurationBounds): v.GenericSchema<unknown, number> {
  const expected = `expected a duration such as 90s, 5m or 2h${boundsText({ minMs, maxMs, stepMs })}`;
  return v.pipe(
    v.string(),
    v.regex(/^(\d+(?:\.\d+)?)(ms|s|m|h)?$/, expected),
    v.transform((text) =>
      Math.round(Number.parseFloat(text) * (UNIT_MS[text.replace(/[\d.]/g, "")] ?? 1000)),
    ),
    v.check((ms) => ms >= minMs && ms <= maxMs && ms % stepMs === 0, expected),
  );
}

function boundsText({ minMs, maxMs, stepMs }: Required<DurationBounds>): string {
  const whole = stepMs === 1000 ? ", in whole seconds" : "";
  if (maxMs < Number.MAX_SAFE_INTEGER) return `, from ${minMs / 1000} s to ${maxMs / 1000} s${whole}`;
  return minMs > 0 ? `, of at least ${minMs / 1000} s${whole}` : whole;
}

const FLASH_BOOT: Readonly<Record<string, FlashBoot>> = {
  off: "OFF",
  on: "FLASHBOOT",
  priority: "PRIORITY_FLASHBOOT",
};

function flashBoot(): v.GenericSchema<unknown, FlashBoot> {
  const words = Object.keys(FLASH_BOOT);
  return v.pipe(
    v.picklist(words, `expected one of ${words.join(", ")}`),
    v.transform((word): FlashBoot => FLASH_BOOT[word] ?? "OFF"),
  );
}

function choice<const C extends readonly string[]>(words: C): v.GenericSchema<unknown, C[number]> {
  return v.picklist(words, `expected one of ${words.join(", ")}`);
}

function json(): v.GenericSchema<unknown, JsonText> {
  return v.pipe(v.string(), v.check(isJson, "expected JSON"), v.transform(jsonText));
}

function list<T>(item: v.GenericSchema<unknown, T>): v.GenericSchema<unknown, readonly T[]> {
  const parts = v.transform((text: string) => text.split(",").map((part): unknown => part.trim()));
  return v.pipe(v.string(), parts, v.array(item)) as v.GenericSchema<unknown, readonly T[]>;
}
