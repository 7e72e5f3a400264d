import type { SandboxRoute } from "../route.ts";
import { cancelJob } from "./cancel-job.ts";
import { endpointHealth } from "./endpoint-health.ts";
import { jobStatus } from "./job-status.ts";
import { jobStatusSync } from "./job-status-sync.ts";
import { listRequests } from "./list-requests.ts";
import { purgeQueue } from "./purge-queue.ts";
import { retryJob } from "./retry-job.ts";
import { runJob } from "./run-job.ts";
import { runSyncJob } from "./run-sync-job.ts";
import { streamJob } from "./stream-job.ts";

/** Every operation of the invoke plane that the sandbox answers. */
export const INVOKE_ROUTES: readonly SandboxRoute[] = [
  runJob,
  runSyncJob,
  jobStatus,
  jobStatusSync,
  streamJob,
  cancelJob,
  retryJob,
  purgeQueue,
  endpointHealth,
  listRequests,
];
