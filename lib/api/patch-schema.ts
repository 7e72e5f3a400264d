import * as v from "valibot";

const texts = v.array(v.string());
const cudaVersion = v.pipe(v.string(), v.regex(/^\d+\.\d+$/, "expected major.minor such as 12.4"));
const gpuTypeId = v.pipe(
  v.string(),
  v.regex(/^\s*[^-\s]/, "expected a GPU type id, which does not start with -"),
);

// What is sent is strict at every level: a field that nobody knows would be a typo.
const patchSchema = v.strictObject({
  name: v.exactOptional(v.pipe(v.string(), v.minLength(1, "expected at least one character"))),
  gpu: v.exactOptional(
    v.strictObject({
      pools: v.exactOptional(v.pipe(texts, v.minLength(1, "expected at least one pool"))),
      excludedTypes: v.exactOptional(
        v.pipe(v.array(gpuTypeId), v.check(isUnique, "expected each type once")),
      ),
      count: v.exactOptional(atLeast(1)),
      allowedCudaVersions: v.exactOptional(v.array(cudaVersion)),
      minCudaVersion: v.exactOptional(
        v.union([v.literal(""), cudaVersion], "expected major.minor, or nothing to clear"),
      ),
    }),
  ),
  cpu: v.exactOptional(
    v.pipe(
      v.array(
        v.strictObject({
          id: v.pipe(v.string(), v.minLength(1)),
          vcpuCount: v.pipe(atLeast(2), v.check(isPowerOfTwo, "expected a power of two of at least 2")),
        }),
      ),
      v.minLength(1, "expected at least one CPU configuration"),
      v.check(isUnique, "expected each configuration once"),
    ),
  ),
  workers: v.exactOptional(
    v.strictObject({
      min: v.exactOptional(atLeast(0)),
      max: v.exactOptional(atLeast(0)),
      idleTimeout: v.exactOptional(between(1, 3600, "seconds")),
    }),
  ),
  scaling: v.exactOptional(
    v.variant("type", [
      v.strictObject({
        type: v.literal("QUEUE_DELAY"),
        queueDelay: v.pipe(v.number(), v.minValue(0.5, "expected at least 0.5 seconds")),
      }),
      v.strictObject({ type: v.literal("REQUEST_COUNT"), requestCount: atLeast(1) }),
    ]),
  ),
  dataCenterIds: v.exactOptional(texts),
  networkVolumes: v.exactOptional(texts),
  timeout: v.exactOptional(v.pipe(v.number(), v.integer("expected whole milliseconds"))),
  flashboot: v.exactOptional(v.picklist(["OFF", "FLASHBOOT", "PRIORITY_FLASHBOOT"])),
  image: v.exactOptional(v.string()),
  args: v.exactOptional(v.string()),
  disk: v.exactOptional(atLeast(1)),
  ports: v.exactOptional(texts),
  env: v.exactOptional(v.record(v.string(), v.string())),
  registry: v.exactOptional(v.nullable(v.string())),
  templateId: v.exactOptional(v.string()),
});

/** What is wrong with a PATCH body by itself: the field and what was expected (runpod-api.md 2.5). */
export function patchBodyProblems(body: unknown): readonly string[] {
  if (Array.isArray(body)) return ["the body is a list and no object"];
  const result = v.safeParse(patchSchema, body);
  if (result.success) return [];
  return result.issues.map(problem);
}

function problem(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  if (path === null) return "the body is no object";
  if (issue.type === "strict_object") return `${path} is no field of a PATCH body`;
  // A value of env may be a secret: only its type is named.
  const given = path.startsWith("env.")
    ? `of type ${typeof issue.input}`
    : (JSON.stringify(issue.input) ?? "undefined");
  return `${path} is ${given}: ${issue.message.replace(/^Invalid.*: Expected/, "expected").replace(/ but received .*$/, "")}`;
}

function atLeast(min: number): v.GenericSchema<unknown, number> {
  return v.pipe(
    v.number(),
    v.integer("expected a whole number"),
    v.minValue(min, `expected at least ${min}`),
  );
}

function between(min: number, max: number, unit: string): v.GenericSchema<unknown, number> {
  const text = `expected ${min} to ${max} ${unit}`;
  return v.pipe(
    v.number(),
    v.integer("expected a whole number"),
    v.minValue(min, text),
    v.maxValue(max, text),
  );
}

function isUnique<T>(items: T[]): boolean {
  const texts = items.map((item) => JSON.stringify(typeof item === "string" ? item.trim() : item));
  return new Set(texts).size === texts.length;
}

function isPowerOfTwo(n: number): boolean {
  return n >= 2 && Number.isInteger(Math.log2(n));
}
