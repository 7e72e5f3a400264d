import { drawFor } from "../random.ts";
import { type Range, staffOf } from "./fleet.ts";
import { findMachine, type Machine } from "./placement.ts";
import { later, type Site } from "./site.ts";
import type { FleetWorker } from "./worker.ts";
import { logContainer, logMessage, logSystem, pullLines, startUpLines } from "./worker-log.ts";

/** How often a throttled worker looks for a machine again (about 30 s, runpod-api.md 4.3). */
const THROTTLED_MS = 30_000;

/** Looks for a machine for a worker, and starts it there; without one it is THROTTLED, and looks again later. */
export function seekMachine(site: Site, worker: FleetWorker): void {
  if (worker.state !== "THROTTLED" || !site.fleet.workers.includes(worker)) return;
  const machine = machineFor(site);
  site.bell.ring();
  if (machine === null) {
    later(site, THROTTLED_MS, () => seekMachine(site, worker));
    return;
  }
  Object.assign(worker, { ...machine, state: "INITIALIZING", startedAtMs: site.clock.now() });
  boot(site, worker);
}

function machineFor(site: Site): Machine | null {
  const { capacity } = site.fleet.settings;
  if (capacity === null) return findMachine(site.world, site.endpoint);
  const taken = staffOf(site.fleet).filter(({ state }) => state !== "THROTTLED").length;
  return taken < capacity ? anyMachine(site) : null;
}

/** With a capacity set by hand, what the stock says does not count. */
function anyMachine({ world, endpoint }: Site): Machine {
  const { gpu, dataCenterIds } = endpoint;
  const row = world.gpus.find(
    ([id, , , pool]) => pool !== null && gpu?.pools.includes(pool) && !gpu.excludedTypes.includes(id),
  );
  return { gpuTypeId: row?.[0] ?? null, dataCenterId: dataCenterIds[0] ?? world.dataCenters[0]?.[0] ?? null };
}

function boot(site: Site, worker: FleetWorker): void {
  const { fleet, world } = site;
  const { image } = worker;
  const { coldStartMs, pullStartMs, warmStartMs } = fleet.settings;
  const isPulled = fleet.images.has(image);
  const range = wakesParked(site) ? warmStartMs : isPulled ? coldStartMs : pullStartMs;
  const ms = Math.round(drawIn(range, drawFor(world.seed, `start/${worker.id}`)));
  logSystem(site, worker, `create container ${image}`);
  const pullMs = isPulled ? 0 : pull(site, worker, ms);
  after(site, worker, pullMs, () => logSystem(site, worker, `start container for ${image}: begin`));
  after(site, worker, Math.max(pullMs, ms - 1000), () => logStartUp(site, worker));
  after(site, worker, ms, () => becomeReady(site, worker));
}

/** Milliseconds that the pull takes: all but the last nine seconds of the start, where there are that many. */
function pull(site: Site, worker: FleetWorker, startMs: number): number {
  const lines = pullLines(worker.image);
  const pullMs = Math.max(Math.round(startMs / 2), startMs - 9000);
  for (const [i, line] of lines.entries()) {
    after(site, worker, Math.round((pullMs * i) / lines.length), () => logSystem(site, worker, line));
  }
  return pullMs;
}

function logStartUp(site: Site, worker: FleetWorker): void {
  if (site.endpoint.type === "LOAD_BALANCER") {
    logContainer(site, worker, "INFO:     Application startup complete.");
    return;
  }
  logContainer(site, worker, "--- Starting Serverless Worker |  Version 1.11.0 ---");
  for (const text of startUpLines(site.endpoint.gpu !== null)) logMessage(site, worker, { text });
}

function becomeReady(site: Site, worker: FleetWorker): void {
  worker.state = "READY";
  worker.idleSinceMs = site.clock.now();
  site.fleet.images.add(worker.image);
  logSystem(site, worker, "worker is ready");
  site.tend(site.fleet.endpointId);
}

/** True where a FlashBoot copy is there; it is used up. */
function wakesParked({ fleet, endpoint, clock }: Site): boolean {
  const now = clock.now();
  fleet.parked = fleet.parked.filter((untilMs) => untilMs > now);
  return endpoint.flashboot !== "OFF" && fleet.parked.shift() !== undefined;
}

/** Lets something happen to a worker that is still starting. */
function after(site: Site, worker: FleetWorker, ms: number, happen: () => void): void {
  later(site, ms, () => {
    if (worker.state === "INITIALIZING" && !worker.isStopping) happen();
  });
}

function drawIn([min, max]: Range, drawn: number): number {
  return min + (max - min) * drawn;
}
