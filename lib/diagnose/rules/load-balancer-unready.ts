import { fix, logsCommand, updateWords } from "../command.ts";
import { counted, fields, logLine, workerCounts } from "../evidence.ts";
import { type Facts, probePathOf } from "../facts.ts";
import { advice, type Evidence, type Outcome, type Recommendation, ruledOut } from "../finding.ts";
import { change } from "../trend.ts";

/** Workers of a load balancer run and are never ready: nothing answers its probe with 200 (runpod-api.md 4.8). */
export function loadBalancerUnready(facts: Facts): Outcome {
  const { health, reads } = facts;
  if (!facts.isLoadBalancer) return wrongType(facts);
  if (health === null || runningOf(facts) === 0) return null;
  const ready = Math.max(...reads.health.map((sample) => sample.value.workers.ready ?? 0));
  if (ready > 0) return ruledOut("load_balancer_unready", `health.workers.ready is ${ready}`);
  if (serves(facts))
    return ruledOut("load_balancer_unready", "requests are served, or the probe is answered");
  if (isYoung(facts)) return null;
  const proof = [...probeEvidence(facts), ...portEvidence(facts)];
  if (proof.length === 0 && isMinimumAlone(facts)) return unsettled(facts);
  return {
    finding: {
      cause: "load_balancer_unready",
      severity: "critical",
      summary: `Workers run and none is ready: nothing answers GET ${probePathOf(facts.endpoint)} on the health port as healthy`,
      evidence: [
        ...fields(facts, "health", "workers.running", "workers.ready"),
        ...fields(facts, "endpoint", "requestUrls.health", "ports"),
        ...proof,
        ...workerCounts(facts),
      ],
      recommendations: adviceFor(facts),
    },
  };
}

function wrongType({ reads }: Facts): Outcome {
  return reads.symptom === "load-balancer"
    ? ruledOut("load_balancer_unready", "endpoint.type is QUEUE: no load balancer polls its workers")
    : null;
}

function runningOf({ health, counts }: Facts): number {
  return Math.max(health?.workers.running ?? 0, counts.running, counts.unhealthy);
}

/** A busy worker is not counted as ready everywhere; requests that are answered say that it is. */
function serves({ health, earlier, logs, inProgress }: Facts): boolean {
  const completes = health !== null && earlier !== null && change(earlier, health, "completed") > 0;
  return completes || inProgress > 0 || logs.some(({ probe }) => probe?.answered === true);
}

/** Up for less than a minute: it may still load. */
function isYoung({ reads }: Facts): boolean {
  const nowMs = Date.parse(reads.workers.at);
  const running = reads.workers.value.workers.filter(({ status }) => status === "RUNNING");
  const ages = running.map(({ uptimeSeconds, startedAt }) =>
    typeof uptimeSeconds === "number" ? uptimeSeconds : ageSeconds(startedAt, nowMs),
  );
  return ages.length > 0 && ages.every((age) => age !== null && age < 60);
}

function ageSeconds(startedAt: string | null | undefined, nowMs: number): number | null {
  const startedMs = Date.parse(startedAt ?? "");
  return Number.isNaN(startedMs) ? null : (nowMs - startedMs) / 1000;
}

/** Workers that always run never count as ready, also where all is well (runpod-api.md 4.1). */
function isMinimumAlone(facts: Facts): boolean {
  return runningOf(facts) <= facts.endpoint.workers.min;
}

function unsettled({ endpoint, reads }: Facts): Outcome {
  const worker = reads.workers.value.workers[0]?.id;
  return {
    unsettled: {
      because:
        "no worker is ready, but workers that always run never count as ready, and no line of a log shows how the probe is answered",
      read: `the container log of worker ${worker ?? "that runs"}, at the time of a request`,
      command: worker === undefined ? null : logsCommand(endpoint.id, worker),
    },
  };
}

function probeEvidence({ logs }: Facts): readonly Evidence[] {
  return logs.flatMap(({ worker, probe }) => (probe === null ? [] : [logLine(worker, probe.line)]));
}

/** The port that is polled, where it is not among those exposed. */
function portEvidence({ endpoint }: Facts): readonly Evidence[] {
  const missing = unexposedPort(endpoint);
  if (missing === null) return [];
  return [counted("endpoint", `env.${missing.name}`, missing.port)];
}

/** `PORT_HEALTH`, else `PORT`, where it is set and not exposed; which default holds without both is not settled. */
function unexposedPort({ env = {}, ports = [] }: Facts["endpoint"]): { name: string; port: string } | null {
  const name = env["PORT_HEALTH"] === undefined ? "PORT" : "PORT_HEALTH";
  const port = env[name];
  if (port === undefined || !/^\d+$/.test(port)) return null;
  return ports.some((entry) => entry.split("/")[0] === port) ? null : { name, port };
}

function adviceFor({ endpoint }: Facts): readonly Recommendation[] {
  const missing = unexposedPort(endpoint);
  const expose =
    missing === null
      ? []
      : [
          fix(
            `Expose the port that ${missing.name} names; this starts a release`,
            updateWords(
              endpoint.id,
              "--ports",
              [...(endpoint.ports ?? []), `${missing.port}/http`].join(","),
            ),
          ),
        ];
  return [
    ...expose,
    advice(
      `Deploy an image that answers GET ${probePathOf(endpoint)} with OK on the health port, on all interfaces; set PORT and PORT_HEALTH both, and expose them`,
    ),
  ];
}
