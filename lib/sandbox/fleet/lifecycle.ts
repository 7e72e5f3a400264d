import { drawFor } from "../random.ts";
import { seekMachine } from "./boot.ts";
import { later, type Site } from "./site.ts";
import { containerOf, type FleetWorker } from "./worker.ts";
import { dropContainerLines, logSystem } from "./worker-log.ts";

/** From `stop container` to `remove container` (runpod-api.md 4.3). */
const REMOVAL_MS = 3000;
/** How long a FlashBoot copy is kept; no source says it. */
const PARKED_MS = 3_600_000;
/** How long the system log of a worker outlives it: longer than anybody looks. */
const GONE_WORKERS = 50;

/** Starts a worker on the endpoint's present version; without a machine for it it is THROTTLED. */
export function startWorker(site: Site): FleetWorker {
  const worker = newWorker(site, false);
  site.fleet.workers.push(worker);
  site.fleet.lastScaledAtMs = site.clock.now();
  seekMachine(site, worker);
  return worker;
}

/** Leaves a record of a throttled worker behind that nobody clears away (runpod-api.md 3.9, 6). */
export function leaveThrottled(site: Site): void {
  site.fleet.workers.push(newWorker(site, true));
  site.bell.ring();
}

/** Stops a worker's container; three seconds later the worker is gone. One without a machine is gone at once. */
export function stopWorker(site: Site, worker: FleetWorker): void {
  if (worker.isStopping) return;
  if (worker.state === "THROTTLED") leave(site, worker);
  else stopContainer(site, worker);
}

function stopContainer(site: Site, worker: FleetWorker): void {
  const parks = worker.state === "READY" && site.endpoint.flashboot !== "OFF";
  worker.isStopping = true;
  worker.idleSinceMs = null;
  logSystem(site, worker, `stop container ${containerId(site, worker)}`);
  later(site, REMOVAL_MS, () => {
    if (parks && isCurrent(site, worker)) site.fleet.parked.push(site.clock.now() + PARKED_MS);
    dropContainerLines(worker);
    logSystem(site, worker, "remove container");
    leave(site, worker);
    site.tend(site.fleet.endpointId);
  });
}

/** Only a container of the present configuration is worth a copy. */
function isCurrent({ endpoint, rules }: Site, worker: FleetWorker): boolean {
  return worker.container === containerOf(endpoint, rules.rolledFields);
}

function newWorker(site: Site, isLeftover: boolean): FleetWorker {
  const { fleet, endpoint, world, rules } = site;
  const n = ++fleet.startedWorkers;
  return {
    ...{ id: workerId(world.seed, `${endpoint.id}/${n}`), version: endpoint.version, image: endpoint.image },
    ...{ container: containerOf(endpoint, rules.rolledFields), gpuCount: endpoint.gpu?.count ?? 0 },
    ...{ gpuTypeId: null, dataCenterId: null, state: "THROTTLED", startedAtMs: null, idleSinceMs: null },
    ...{ job: null, isStopping: false, isLeftover, log: [], logged: 0 },
  };
}

function leave({ fleet, bell }: Site, worker: FleetWorker): void {
  const index = fleet.workers.indexOf(worker);
  if (index >= 0) fleet.workers.splice(index, 1);
  if (worker.startedAtMs !== null) fleet.gone.push(worker);
  if (fleet.gone.length > GONE_WORKERS) fleet.gone.shift();
  bell.ring();
}

function containerId({ world }: Site, worker: FleetWorker): string {
  const part = (n: number) =>
    Math.floor(drawFor(world.seed, `container/${worker.id}/${n}`) * 2 ** 32)
      .toString(16)
      .padStart(8, "0");
  return Array.from({ length: 8 }, (_, n) => part(n)).join("");
}

/** 14 characters, as seen live (runpod-api.md 2.1). */
function workerId(seed: number, name: string): string {
  const part = (salt: string) => Math.floor(drawFor(seed, `${name}/${salt}`) * 36 ** 7).toString(36);
  return `${part("a").padStart(7, "0")}${part("b").padStart(7, "0")}`;
}
