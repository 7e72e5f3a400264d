import type { Rule } from "./rule.ts";
import { accountQuota } from "./rules/account-quota.ts";
import { badPayload } from "./rules/bad-payload.ts";
import { capacity } from "./rules/capacity.ts";
import { coldStart } from "./rules/cold-start.ts";
import { crashLoop } from "./rules/crash-loop.ts";
import { cudaConstraint } from "./rules/cuda-constraint.ts";
import { diskFull } from "./rules/disk-full.ts";
import { gatedModel } from "./rules/gated-model.ts";
import { idleScaleDown } from "./rules/idle-scale-down.ts";
import { imagePull } from "./rules/image-pull.ts";
import { loadBalancerUnready } from "./rules/load-balancer-unready.ts";
import { missingModelOrModule } from "./rules/missing-model-or-module.ts";
import { notDispatching } from "./rules/not-dispatching.ts";
import { outOfMemory } from "./rules/out-of-memory.ts";
import { poisonJob } from "./rules/poison-job.ts";
import { registryAuth } from "./rules/registry-auth.ts";
import { rolloutInProgress } from "./rules/rollout-in-progress.ts";
import { sdkJobFunnel } from "./rules/sdk-job-funnel.ts";
import { slowScaler } from "./rules/slow-scaler.ts";
import { throttledLeftover } from "./rules/throttled-leftover.ts";
import { workerLimit } from "./rules/worker-limit.ts";

/**
 * What only a container can show, the narrowest first. Logs beat the states of workers: where one of these is found, what
 * the counts alone would say is a consequence, and no advice about them would help (runpod-api.md 4.6).
 */
export const CONTAINER_RULES: readonly Rule[] = [
  registryAuth,
  imagePull,
  cudaConstraint,
  gatedModel,
  missingModelOrModule,
  diskFull,
  outOfMemory,
  badPayload,
  poisonJob,
  crashLoop,
  loadBalancerUnready,
];

/** What the counts show: first what nothing can run under, last what passes by itself. */
export const PLACEMENT_RULES: readonly Rule[] = [
  idleScaleDown,
  accountQuota,
  workerLimit,
  capacity,
  sdkJobFunnel,
  notDispatching,
  slowScaler,
];

/** What passes by itself, or is worth knowing beside anything else. */
export const PASSING_RULES: readonly Rule[] = [rolloutInProgress, coldStart, throttledLeftover];
