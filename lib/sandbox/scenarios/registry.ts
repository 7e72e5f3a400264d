import { accountQuota } from "./account-quota.ts";
import { badPayload } from "./bad-payload.ts";
import { busyQueue } from "./busy-queue.ts";
import { cold } from "./cold.ts";
import { crashLoop } from "./crash-loop.ts";
import { crashLoopInRollout } from "./crash-loop-in-rollout.ts";
import { crashLoopSilent } from "./crash-loop-silent.ts";
import { cudaFloor } from "./cuda-floor.ts";
import { cudaUnmet } from "./cuda-unmet.ts";
import { diskFull } from "./disk-full.ts";
import { gatedModel } from "./gated-model.ts";
import { healthy } from "./healthy.ts";
import { idle3d } from "./idle-3d.ts";
import { imagePull } from "./image-pull.ts";
import { jobFails } from "./job-fails.ts";
import { lbUnready } from "./lb-unready.ts";
import { longIdle } from "./long-idle.ts";
import { missingModule } from "./missing-module.ts";
import { noSpace } from "./no-space.ts";
import { oom } from "./oom.ts";
import { poison } from "./poison.ts";
import { readyNotDispatching } from "./ready-not-dispatching.ts";
import { registryAuth } from "./registry-auth.ts";
import { rollout } from "./rollout.ts";
import type { Scenario } from "./scenario.ts";
import { sdkJobFunnel } from "./sdk-job-funnel.ts";
import { slowScaler } from "./slow-scaler.ts";
import { throttled } from "./throttled.ts";
import { throttledAtLimit } from "./throttled-at-limit.ts";
import { throttledLeftover } from "./throttled-leftover.ts";
import { workerLimit } from "./worker-limit.ts";

/** The scenarios there are. */
export const SCENARIOS: readonly Scenario[] = [
  healthy,
  workerLimit,
  idle3d,
  longIdle,
  cold,
  busyQueue,
  slowScaler,
  readyNotDispatching,
  throttled,
  throttledLeftover,
  rollout,
  jobFails,
  badPayload,
  crashLoop,
  crashLoopSilent,
  noSpace,
  diskFull,
  oom,
  gatedModel,
  missingModule,
  cudaFloor,
  cudaUnmet,
  imagePull,
  registryAuth,
  lbUnready,
  poison,
  sdkJobFunnel,
  accountQuota,
  crashLoopInRollout,
  throttledAtLimit,
];

/** Finds a scenario. @throws RangeError - there is none of that name; the message lists those that exist */
export function findScenario(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found) return found;
  const names = SCENARIOS.map((scenario) => scenario.name).join(", ");
  throw new RangeError(`There is no sandbox scenario "${name}"; there are ${names}`);
}
