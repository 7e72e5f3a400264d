import type { WorkFor } from "../handlers/handler.ts";
import type { WorldJob } from "./job.ts";
import type { FleetWorker } from "./worker.ts";

/** How an endpoint's workers behave. Tests and scenarios set it; nothing of it is visible in a read. */
export interface FleetSettings {
  /** What the workers run: a name out of `HANDLERS`, or a function. @default "generate-image" */
  handler: string | WorkFor;
  /** Bounds in milliseconds of a start whose image is on the machine. @default 8000–12000 (runpod-api.md 10) */
  coldStartMs: Range;
  /** The same where the image has to be pulled. @default 20000–60000 */
  pullStartMs: Range;
  /** The same out of a FlashBoot copy; the figures are a stand-in. @default 1000–2000 */
  warmStartMs: Range;
  /** Milliseconds from a free worker and a waiting job to the pick-up. @default 60 (16 ms to 1.7 s were seen) */
  pickUpMs: number;
  /** Milliseconds that the scaler takes to notice a job. @default 0 */
  scalerDelayMs: number;
  /** The most workers that get a machine, the others are THROTTLED; null leaves it to the stock. @default null */
  capacity: number | null;
  /** Milliseconds until the counts show that jobs left the queue. @default 1000–3000 (runpod-api.md 10) */
  settleMs: Range;
  /** False: ready workers take no job. @default true */
  dispatches: boolean;
  /** What a worker makes of `{}`: SDK 1.11 refuses it and never answers (runpod-api.md 3.2). @default "refuses" */
  emptyInput: "refuses" | "works";
}

export type Range = readonly [min: number, max: number];

/** The jobs and the workers of one endpoint. */
export interface Fleet {
  readonly endpointId: string;
  readonly settings: FleetSettings;
  /** By id, in order of submission; what the service has forgotten is not in it. */
  readonly jobs: Map<string, WorldJob>;
  /** First in, first out. */
  readonly queue: WorldJob[];
  /** In order of their start; those that are gone are not in it. */
  readonly workers: FleetWorker[];
  /** Those that are gone, whose system log is still there. */
  readonly gone: FleetWorker[];
  readonly counts: { completed: number; failed: number; retried: number };
  /** Jobs that left the queue, while the counts do not show it yet (runpod-api.md 3.9). */
  unsettled: { readonly jobs: number; readonly untilMs: number }[];
  /** Images that its machines hold. */
  readonly images: Set<string>;
  /** When the FlashBoot copies of stopped workers are dropped, in milliseconds. */
  parked: number[];
  startedWorkers: number;
  lastScaledAtMs: number;
  dispatchPlanned: boolean;
  /** Takes back the scaler's next look. */
  stopLooking: () => void;
}

/** A fleet without workers and jobs, with the settings of a healthy one. */
export function createFleet(endpointId: string, settings: Partial<FleetSettings> = {}): Fleet {
  return {
    endpointId,
    settings: { ...DEFAULTS, ...settings },
    ...{ jobs: new Map(), queue: [], workers: [], gone: [], images: new Set() },
    counts: { completed: 0, failed: 0, retried: 0 },
    ...{ unsettled: [], parked: [] },
    ...{ startedWorkers: 0, lastScaledAtMs: Number.NEGATIVE_INFINITY, dispatchPlanned: false },
    stopLooking: () => {},
  };
}

/** Workers that the scaler counts, in order of their start. */
export function staffOf({ workers }: Fleet): readonly FleetWorker[] {
  return workers.filter(({ isStopping, isLeftover }) => !isStopping && !isLeftover);
}

const DEFAULTS: FleetSettings = {
  handler: "generate-image",
  coldStartMs: [8000, 12_000],
  pullStartMs: [20_000, 60_000],
  warmStartMs: [1000, 2000],
  pickUpMs: 60,
  scalerDelayMs: 0,
  capacity: null,
  settleMs: [1000, 3000],
  dispatches: true,
  emptyInput: "refuses",
};
