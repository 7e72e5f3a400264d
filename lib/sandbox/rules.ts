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
  /** Fields whose change makes running workers be replaced; of the others they only become stale (2.7). @default the container's */
  readonly rolledFields: readonly string[];
  /** Whether QUEUE_DELAY starts the first worker at once (4.2). @default "at once" */
  readonly scaleFromZero: "at once" | "after the delay";
  /** Whether `ready` of `/health` counts FlashBoot copies, as one source says (4.1). @default true */
  readonly readyCountsParked: boolean;
  /** Whether a worker says its `uptimeSeconds`; live ones did not (2.8). @default false */
  readonly showsUptime: boolean;
  /** Whether `GET /status-sync/{job}` is there: one client alone knows it (3.1). @default true */
  readonly statusSync: boolean;
  /** What a job reads as whose execution timeout has passed (3.5). @default "TIMED_OUT" */
  readonly executionTimeout: "TIMED_OUT" | "FAILED";
  /** What becomes of a job whose time to live ends in the queue (3.5). @default "TIMED_OUT" */
  readonly expiresInQueue: "TIMED_OUT" | "removed";
  /** What becomes of purged jobs. @default "CANCELLED" */
  readonly purgedJobs: "CANCELLED" | "removed";
  /** The answer to the cancel of a job that has ended: its own status, CANCELLED although it is not, or 400. @default "status" */
  readonly cancelOfEnded: "status" | "lies" | 400;
  /** Whether a cancel ends the handler of a running job, as worker SDK 1.10 can. @default true */
  readonly cancelStopsHandler: boolean;
  /** Whether `?ttl=` of `/status` sets the time to live, as documented (3.1). @default "sets" */
  readonly statusTtl: "sets" | "ignored";
  /** A `policy` out of its documented bounds (3.2). @default "accepted" */
  readonly policyBounds: "accepted" | 400;
  /** Whether a 429 of the invoke plane says `Retry-After` (3.6). @default false */
  readonly invokeRetryAfter: boolean;
  /** The invoke plane's answer to a valid key without access (3.7 lists no 403). @default 401 */
  readonly invokeNoAccess: 401 | 403;
  /** Whether `since` of the logs includes its own instant (2.11). @default "inclusive" */
  readonly logSince: "inclusive" | "exclusive";
  /** Milliseconds for which `/health` of a deleted endpoint is still 200 (3.9). @default 5000 */
  readonly healthAfterDeleteMs: number;
  /** Milliseconds for which `/health` of a created endpoint is still 404 (3.9). @default 0 */
  readonly healthAfterCreateMs: number;
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
  rolledFields: ["image", "args", "disk", "ports", "env", "registry"],
  scaleFromZero: "at once",
  readyCountsParked: true,
  showsUptime: false,
  statusSync: true,
  executionTimeout: "TIMED_OUT",
  expiresInQueue: "TIMED_OUT",
  purgedJobs: "CANCELLED",
  cancelOfEnded: "status",
  cancelStopsHandler: true,
  statusTtl: "sets",
  policyBounds: "accepted",
  invokeRetryAfter: false,
  invokeNoAccess: 401,
  logSince: "inclusive",
  healthAfterDeleteMs: 5000,
  healthAfterCreateMs: 0,
};
