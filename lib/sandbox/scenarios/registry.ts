import { badPayload } from "./bad-payload.ts";
import { busyQueue } from "./busy-queue.ts";
import { cold } from "./cold.ts";
import { healthy } from "./healthy.ts";
import { idle3d } from "./idle-3d.ts";
import { jobFails } from "./job-fails.ts";
import { longIdle } from "./long-idle.ts";
import { readyNotDispatching } from "./ready-not-dispatching.ts";
import { rollout } from "./rollout.ts";
import type { Scenario } from "./scenario.ts";
import { slowScaler } from "./slow-scaler.ts";
import { throttled } from "./throttled.ts";
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
];

/** Finds a scenario. @throws RangeError - there is none of that name; the message lists those that exist */
export function findScenario(name: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.name === name);
  if (found) return found;
  const names = SCENARIOS.map((scenario) => scenario.name).join(", ");
  throw new RangeError(`There is no sandbox scenario "${name}"; there are ${names}`);
}
