import type { InferredRules } from "../rules.ts";
import type { World, WorldEndpoint, WorldRelease } from "../world.ts";

type Diff = WorldRelease["diff"][number];

/** Who changed something, and when. */
export interface Author {
  readonly userId: string;
  readonly at: string;
}

/**
 * Puts a changed endpoint into the world, with a new version and a release where the change calls for one
 * (runpod-api.md 2.7 and 2.9).
 *
 * @returns whether anything changed at all
 */
export function storeChange(
  world: World,
  next: WorldEndpoint,
  options: { author: Author; rules: InferredRules; release?: boolean },
): boolean {
  const before = world.endpoints.get(next.id);
  const fields = changedFields(before, next);
  const releasing = fields.filter((field) => options.rules.releaseFields.includes(field));
  const makesRelease = options.release ?? releasing.length > 0;
  if (makesRelease && before) {
    next.version = before.version + 1;
    addRelease(world, next, diffOf(before, next), options.author);
  }
  world.endpoints.set(next.id, next);
  return before === undefined || fields.length > 0;
}

/** Adds a release of the endpoint's present version in front of the others. */
export function addRelease(
  world: World,
  { id, version }: WorldEndpoint,
  diff: readonly Diff[],
  author: Author,
): void {
  const release: WorldRelease = {
    id: world.newId(),
    version,
    source: "MANUAL",
    buildId: null,
    createdByUserId: author.userId,
    createdAt: author.at,
    diff,
  };
  world.releases.set(id, [release, ...(world.releases.get(id) ?? [])]);
}

function changedFields(before: WorldEndpoint | undefined, after: WorldEndpoint): readonly string[] {
  const old = before as unknown as Record<string, unknown> | undefined;
  return Object.entries(after)
    .filter(([field, value]) => field !== "version" && !isSame(old?.[field], value))
    .map(([field]) => field);
}

/** Entries under the service's internal names (runpod-api.md 2.9). */
function diffOf(before: WorldEndpoint, after: WorldEndpoint): readonly Diff[] {
  const old = internalFields(before);
  return Object.entries(internalFields(after))
    .filter(([field, value]) => !isSame(old[field], value))
    .map(([field, value]) => ({ field, old: old[field] ?? null, new: value ?? null }));
}

function internalFields(endpoint: WorldEndpoint): Record<string, unknown> {
  const { name, gpu, cpu, workers, scaling, timeout, flashboot } = endpoint;
  return structuredClone({
    "template.imageName": endpoint.image,
    "template.dockerArgs": endpoint.args,
    "template.containerDiskInGb": endpoint.disk,
    "template.ports": endpoint.ports,
    "template.env": endpoint.env,
    "template.containerRegistryAuthId": endpoint.registry,
    gpuIds: gpu && [...gpu.pools, ...gpu.excludedTypes.map((type) => `-${type}`)].join(","),
    gpuCount: gpu?.count ?? null,
    allowedCudaVersions: gpu?.allowedCudaVersions ?? null,
    minCudaVersion: gpu?.minCudaVersion ?? null,
    instanceIds: cpu,
    locations: endpoint.dataCenterIds,
    networkVolumeIds: endpoint.networkVolumes,
    flashBootType: flashboot,
    name,
    "workers.min": workers.min,
    "workers.max": workers.max,
    "workers.idleTimeout": workers.idleTimeout,
    scaling,
    executionTimeoutMs: timeout,
  });
}

/** The order of keys is no difference, the order of a list is one. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, sortKeys) === JSON.stringify(b, sortKeys);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}
