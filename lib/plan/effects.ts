import type { GpuType } from "../api/catalog.ts";
import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import type { Health } from "../api/health.ts";
import type { Cost } from "./cost.ts";
import { allowedTypes } from "./gpu-selection.ts";
import { dollars, HOURS_PER_MONTH, percentChange } from "./money.ts";
import { hidesIdleTimeout } from "./overlay.ts";
import { isScarce, stockOf } from "./stock.ts";
import type { Undo } from "./undo-body.ts";

export type EffectCode =
  | "workers_not_evicted"
  | "standing_cost"
  | "idle_cost"
  | "ceiling"
  | "low_stock"
  | "account_quota"
  | "rolling_release"
  | "clears_exclusions"
  | "keeps_exclusions"
  | "resends_env"
  | "purges_all_pending"
  | "outage"
  | "no_undo"
  | "bills_a_job"
  | "idle_timeout_vanishes";

/** Something that a change does besides what it says; `warn` where a person should think twice. */
export interface Effect {
  readonly code: EffectCode;
  readonly level: "info" | "warn";
  readonly text: string;
}

export interface EffectFacts {
  readonly before: Endpoint;
  readonly after: Endpoint;
  /** The body as it is sent. */
  readonly body: EndpointPatch;
  /** The keys of `env` that the person named. */
  readonly namedEnv: readonly string[];
  readonly catalog: readonly GpuType[] | null;
  readonly cost: Cost;
  readonly undo: Undo;
  /** Whether the change needs workers to be had that it did not need before. */
  readonly needsStock: boolean;
  /** The sum of workers.max over all other endpoints; null when it was not read. */
  readonly otherWorkersMax: number | null;
  /** The jobs as read just before, where the change stops all workers; null where they were not read. */
  readonly jobs: Health["jobs"] | null;
}

type Rule = (facts: EffectFacts) => Effect | null;

const RULES: readonly Rule[] = [
  workersNotEvicted,
  rollingRelease,
  outage,
  standingCost,
  idleCost,
  ceiling,
  lowStock,
  accountQuota,
  clearsExclusions,
  keepsExclusions,
  resendsEnv,
  idleTimeoutVanishes,
  noUndo,
];

/** Everything that a preview must state about a change, in a fixed order. */
export function effectsOf(facts: EffectFacts): readonly Effect[] {
  return RULES.map((rule) => rule(facts)).filter((effect) => effect !== null);
}

function workersNotEvicted({ body, after }: EffectFacts): Effect | null {
  if (!body.gpu) return null;
  const command = `readback run bounce-workers ${after.id}`;
  return info("workers_not_evicted", `running ones keep their card; to move them: ${command}`);
}

const CONTAINER_FIELDS = ["image", "args", "disk", "ports", "env", "registry", "templateId"] as const;

function rollingRelease({ body }: EffectFacts): Effect | null {
  const fields = CONTAINER_FIELDS.filter((field) => body[field] !== undefined);
  if (fields.length === 0) return null;
  const text = `${fields.join(", ")} start a rolling release: idle workers are replaced at once, busy ones after their job`;
  return info("rolling_release", fields.length === 1 ? text.replace(" start ", " starts ") : text);
}

function outage({ before, after, jobs }: EffectFacts): Effect | null {
  if (after.workers.max !== 0 || before.workers.max === 0) return null;
  const stopped = "workers.max 0: no worker serves this endpoint until it is raised again";
  return warn("outage", `${stopped}; ${jobsInOutage(jobs)}`);
}

/** Whether a job in progress is ended with its worker is documented nowhere. */
function jobsInOutage(jobs: EffectFacts["jobs"]): string {
  if (jobs === null) return "its jobs could not be read";
  const { inProgress = "an unknown number", inQueue = "an unknown number" } = jobs;
  const cut = inProgress === 0 ? "" : ", which may be cut off";
  return `now ${inProgress} in progress${cut}; ${inQueue} in queue`;
}

function standingCost({ before, after, cost, catalog }: EffectFacts): Effect | null {
  const { before: old, after: now } = cost.standingPerHourUsd;
  const same = before.workers.min === after.workers.min && old === now;
  if (after.workers.min === 0 || same) return null;
  const many = after.workers.min === 1 ? "1 worker bills" : `${after.workers.min} workers bill`;
  const amount =
    now === null
      ? `unknown $/h and $/month (${catalog === null || !after.gpu ? "rate not read" : "a price is not in the catalog"})`
      : `${dollars(now)}/h, ${dollars(now * HOURS_PER_MONTH)}/month of ${HOURS_PER_MONTH} h`;
  return warn(
    "standing_cost",
    `workers.min ${after.workers.min}: ${many} around the clock even without traffic, ${amount}`,
  );
}

function idleCost({ before, after, cost }: EffectFacts): Effect | null {
  const { idleTimeout: old } = before.workers;
  const { idleTimeout: now } = after.workers;
  if (now === undefined || old === now) return null;
  const rate = cost.workerHourUsd.after;
  const amount = rate === null ? "unknown" : dollars((rate * now) / 3600);
  return info(
    "idle_cost",
    `each worker bills up to ${now} s of idling after its last job (was ${old ?? "none"} s): ${amount}`,
  );
}

function ceiling({ cost }: EffectFacts): Effect | null {
  const { before, after } = cost.ceilingPerHourUsd;
  if (before === null || after === null || after <= before) return null;
  const percent = percentChange(before, after);
  return info(
    "ceiling",
    `the most it can cost rises from ${dollars(before)}/h to ${dollars(after)}/h${percent ? ` (${percent})` : ""}`,
  );
}

function lowStock({ after, needsStock, catalog }: EffectFacts): Effect | null {
  if (!needsStock) return null;
  const stock = stockOf(after, catalog);
  return isScarce(stock) ? warn("low_stock", stock.text) : null;
}

function accountQuota({ before, after, otherWorkersMax }: EffectFacts): Effect | null {
  const { max } = after.workers;
  if (max <= before.workers.max) return null;
  const sum =
    otherWorkersMax === null
      ? "not read"
      : `${otherWorkersMax + before.workers.max} → ${otherWorkersMax + max}`;
  return info(
    "account_quota",
    `workers.max over all endpoints: ${sum}; the account's worker quota counts this sum and may refuse`,
  );
}

/** Only exclusions whose type becomes selectable matter: others go away with their pool. */
function clearsExclusions({ before, after, body, catalog }: EffectFacts): Effect | null {
  if (!body.gpu?.pools || !after.gpu) return null;
  const kept = new Set(after.gpu.excludedTypes ?? []);
  const gone = (before.gpu?.excludedTypes ?? []).filter((type) => !kept.has(type.trim()));
  const open = catalog === null ? null : new Set(allowedTypes(after.gpu, catalog).map((type) => type.id));
  const freed = gone.filter((type) => open === null || open.has(type.trim()));
  return freed.length > 0 ? warn("clears_exclusions", `no longer excluded: ${freed.join(", ")}`) : null;
}

/** Pools are never sent without exclusions, which they would clear: those that still belong to a pool stay. */
function keepsExclusions({ before, after, body }: EffectFacts): Effect | null {
  if (!body.gpu?.pools || !before.gpu || reordersOnly(before.gpu.pools, body.gpu.pools)) return null;
  const now = new Set(after.gpu?.excludedTypes ?? []);
  const kept = (before.gpu.excludedTypes ?? []).map((type) => type.trim()).filter((type) => now.has(type));
  return kept.length > 0 ? info("keeps_exclusions", `still excluded: ${kept.join(", ")}`) : null;
}

function reordersOnly(before: readonly string[], after: readonly string[]): boolean {
  return before.length === after.length && before.every((pool) => after.includes(pool));
}

function resendsEnv({ body, namedEnv }: EffectFacts): Effect | null {
  if (!body.env) return null;
  const others = Object.keys(body.env).filter((key) => !namedEnv.includes(key));
  if (others.length === 0) return null;
  return info(
    "resends_env",
    `env is replaced whole by the API: ${others.length === 1 ? "1 other key is" : `${others.length} other keys are`} sent again as read (${others.join(", ")})`,
  );
}

function idleTimeoutVanishes({ before, after }: EffectFacts): Effect | null {
  if (hidesIdleTimeout(before) || !hidesIdleTimeout(after)) return null;
  return info(
    "idle_timeout_vanishes",
    "a queue endpoint on REQUEST_COUNT has no workers.idleTimeout: it vanishes, and undo puts it back",
  );
}

function noUndo({ undo }: EffectFacts): Effect | null {
  return undo.possible ? null : warn("no_undo", `cannot be undone: ${undo.why}`);
}

function info(code: EffectCode, text: string): Effect {
  return { code, level: "info", text };
}

function warn(code: EffectCode, text: string): Effect {
  return { code, level: "warn", text };
}
