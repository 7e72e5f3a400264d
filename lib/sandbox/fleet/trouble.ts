import type { WorldEndpoint } from "../world.ts";
import { later, type Site } from "./site.ts";
import type { FleetWorker, WorkerStatus } from "./worker.ts";
import { type LogLine, logContainer, logSystem } from "./worker-log.ts";

/** What keeps workers from ever being ready, as data and one question. */
export interface Trouble {
  /** Asked once for every container: a worker keeps its host, and a container what it was made of. */
  readonly afflicts: (endpoint: WorldEndpoint, worker: FleetWorker) => boolean;
  /** What reads show meanwhile; a crash loop can read RUNNING, with unhealthy 0 (runpod-api.md 4.6). */
  readonly seems: WorkerStatus;
  /** Said once, while the worker starts. */
  readonly before?: readonly Said[];
  /** Said at every try. */
  readonly lines: readonly Said[];
  /** Milliseconds from one try to the next; null tries once. 8 s were seen (runpod-api.md 4.6). */
  readonly everyMs: number | null;
}

export type Said = Pick<LogLine, "source" | "line">;

/** How long a worker that comes to nothing shows as starting first, in milliseconds. */
const FIRST_TRY_MS = 1000;

/** Lets a worker of such an endpoint try and fail, again and again. @returns false where nothing is in its way */
export function failToStart(site: Site, worker: FleetWorker): boolean {
  const { trouble } = site.fleet.settings;
  if (trouble?.afflicts(site.endpoint, worker) !== true) return false;
  for (const said of trouble.before ?? []) say(site, worker, said);
  later(site, FIRST_TRY_MS, () => tryAgain(site, worker, trouble));
  return true;
}

function tryAgain(site: Site, worker: FleetWorker, trouble: Trouble): void {
  if (worker.isStopping || !site.fleet.workers.includes(worker)) return;
  worker.seems = trouble.seems;
  for (const said of trouble.lines) say(site, worker, said);
  if (trouble.everyMs !== null) later(site, trouble.everyMs, () => tryAgain(site, worker, trouble));
}

function say(site: Site, worker: FleetWorker, { source, line }: Said): void {
  if (source === "system") logSystem(site, worker, line);
  else logContainer(site, worker, line);
}
