type Refusal = 400 | 422;

/**
 * Where no source says what the service does, the sandbox has a switch. Defaults are the likelier side, as
 * runpod-api.md marks it INFERRED; a test of a client should hold on both sides.
 */
export interface InferredRules {
  /** `excludedTypes` leaves no type of the pools (2.5, rule 4). @default 400 */
  readonly nothingLeft: Refusal;
  /** A pool id that the catalog does not have (2.5, rule 5). @default 400 */
  readonly unknownPool: Refusal;
  /** `workers.min` above `workers.max` (2.5, rule 9). @default 400 */
  readonly minAboveMax: Refusal | "accepted";
  /** QUEUE_DELAY for a LOAD_BALANCER in a PATCH (2.5, rule 8). @default 400 */
  readonly queueDelayOnLoadBalancer: Refusal;
  /** `workers.idleTimeout` on QUEUE with REQUEST_COUNT (2.5, rule 7); 422 was seen live. @default 422 */
  readonly idleTimeoutOnRequestCount: Refusal;
  /** `{}` (2.5, rule 13). @default 200 */
  readonly emptyPatch: 200 | Refusal;
  /** An allow-list and a floor left standing together by two patches (2.5, rule 6). @default "accepted" */
  readonly cudaAcrossPatches: "accepted" | Refusal;
  /** A CPU flavor that does not exist, or a vCPU count it does not have (2.5, rule 10). @default 400 */
  readonly invalidCpu: Refusal;
  /** What a queue endpoint that returns to QUEUE_DELAY reads as its idle timeout. @default "kept" */
  readonly idleTimeoutReturns: "kept" | "default";
  /** How a read shows that nothing is excluded (2.4). @default "omitted" */
  readonly noExclusions: "omitted" | "empty";
  /** How a CPU endpoint reads its `gpu` (2.4). @default "null" */
  readonly gpuOfCpuEndpoint: "null" | "omitted";
  /** Whether the body is validated before the id is looked up. @default true */
  readonly validatesBeforeLookup: boolean;
  /** PATCH fields whose change makes a release and a new version (2.7). @default the ones that touch the container */
  readonly releaseFields: readonly string[];
  /** The largest sum of `workers.max` of the account; null is none (2.5, rule 9). @default null */
  readonly workerQuota: number | null;
  /** The answer beyond `workerQuota`. @default 400 */
  readonly overWorkerQuota: Refusal;
  /** Milliseconds that an omitted `timeout` becomes in a create: 0 was seen live, 300000 is documented. @default 0 */
  readonly createTimeoutMs: number;
}

/** The rules of a sandbox: the given ones over the defaults. */
export function inferredRules(given: Partial<InferredRules> = {}): InferredRules {
  return { ...DEFAULTS, ...given };
}

const DEFAULTS: InferredRules = {
  nothingLeft: 400,
  unknownPool: 400,
  minAboveMax: 400,
  queueDelayOnLoadBalancer: 400,
  idleTimeoutOnRequestCount: 422,
  emptyPatch: 200,
  cudaAcrossPatches: "accepted",
  invalidCpu: 400,
  idleTimeoutReturns: "kept",
  noExclusions: "omitted",
  gpuOfCpuEndpoint: "null",
  validatesBeforeLookup: true,
  releaseFields: [
    "image",
    "args",
    "disk",
    "ports",
    "env",
    "registry",
    "gpu",
    "cpu",
    "dataCenterIds",
    "networkVolumes",
    "flashboot",
  ],
  workerQuota: null,
  overWorkerQuota: 400,
  createTimeoutMs: 0,
};
