import { logsCommand } from "./command.ts";
import { type Facts, factsOf, starting } from "./facts.ts";
import type { Finding, Outcome, RuledOut, Unsettled, Verdict } from "./finding.ts";
import { CONTAINER_RULES, PASSING_RULES, PLACEMENT_RULES } from "./order.ts";
import type { Reads } from "./reads.ts";
import type { Rule } from "./rule.ts";
import { wantedBy } from "./rules/account-quota.ts";

/** What the reads come to. */
export interface Diagnosis {
  readonly verdict: Verdict;
  /** The first one is the decisive one. */
  readonly findings: readonly Finding[];
  readonly ruledOut: readonly RuledOut[];
  /** What is left open; never empty where the verdict is `unclear`. */
  readonly unsettled: readonly Unsettled[];
  readonly facts: Facts;
}

/** Names the cause that the reads prove, what they rule out, and what they leave open. It knows nothing but the reads. */
export function diagnose(reads: Reads): Diagnosis {
  const facts = factsOf(reads);
  const container = sort(CONTAINER_RULES, facts);
  const placement = sort(PLACEMENT_RULES, facts);
  const passing = sort(PASSING_RULES, facts);
  const [decisive] = container.findings;
  if (decisive !== undefined) return byContainer(facts, decisive, { container, placement, passing });
  const unread = unreadLogs(facts);
  // What the counts say cannot stand while a log that could overturn it is unread; an empty limit can.
  const stands = unread.length === 0 || facts.endpoint.workers.max === 0;
  const findings = stands ? inOrder([...placement.findings, ...passing.findings]) : [];
  const open = [...unread, ...container.unsettled, ...(findings.length > 0 ? [] : placement.unsettled)];
  const unsettled = findings.length === 0 && open.length === 0 ? unexplained(facts) : open;
  return {
    verdict: verdictOf(findings, unsettled),
    findings,
    ruledOut: [...container.ruledOut, ...(stands ? [...placement.ruledOut, ...passing.ruledOut] : [])].filter(
      ({ cause }) => findings.every((finding) => finding.cause !== cause),
    ),
    unsettled,
    facts,
  };
}

interface Sorted {
  readonly findings: readonly Finding[];
  readonly ruledOut: readonly RuledOut[];
  readonly unsettled: readonly Unsettled[];
}

function sort(rules: readonly Rule[], facts: Facts): Sorted {
  const outcomes: readonly Outcome[] = rules.map((rule) => rule(facts));
  const all = outcomes.filter((outcome) => outcome !== null);
  return {
    findings: all.flatMap((outcome) => ("finding" in outcome ? [outcome.finding] : [])),
    ruledOut: all.flatMap((outcome) => ("ruledOut" in outcome ? [outcome.ruledOut] : [])),
    unsettled: all.flatMap((outcome) => ("unsettled" in outcome ? [outcome.unsettled] : [])),
  };
}

/** Findings of the counts are consequences now: they are ruled out as the cause. A release stays worth knowing. */
function byContainer(
  facts: Facts,
  decisive: Finding,
  { container, placement, passing }: { container: Sorted; placement: Sorted; passing: Sorted },
): Diagnosis {
  const beside = passing.findings.filter(({ cause }) => cause === "rollout_in_progress");
  const consequences = [...placement.findings, ...passing.findings].filter(
    (finding) => !beside.includes(finding),
  );
  const because = `${sourceOf(decisive)} decides, and shows ${decisive.cause}`;
  return {
    verdict: "problem",
    findings: [...withoutConsequences(container.findings), ...beside],
    ruledOut: [
      ...container.ruledOut,
      ...consequences.map(({ cause }): RuledOut => ({ cause, because })),
      ...placement.ruledOut,
    ],
    unsettled: [],
    facts,
  };
}

/** A container that ends and comes up again does so for the reason that was found first. */
function withoutConsequences(findings: readonly Finding[]): readonly Finding[] {
  return findings.filter(({ cause }, i) => i === 0 || cause !== "crash_loop");
}

function sourceOf({ evidence }: Finding): string {
  const line = evidence.find((entry) => "line" in entry);
  return line !== undefined && "line" in line
    ? `the log of worker ${line.worker}`
    : `the read of ${evidence[0]?.read ?? "the job"}`;
}

/** What is worse comes first; within that, the order of the rules. */
function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const ranks = ["critical", "warning", "info"];
  const isInfo = ({ severity }: Finding): number => (ranks.indexOf(severity) === 2 ? 1 : 0);
  return findings.toSorted((a, b) => isInfo(a) - isInfo(b));
}

function verdictOf(findings: readonly Finding[], unsettled: readonly Unsettled[]): Verdict {
  if (findings.some(({ severity }) => severity !== "info")) return "problem";
  return unsettled.length > 0 ? "unclear" : "healthy";
}

function unreadLogs({ unreadLogs, endpoint }: Facts): readonly Unsettled[] {
  return unreadLogs.map(({ worker, read }) => ({
    because: `the log of worker ${worker} would decide, and could not be read: ${read.error}`,
    read: `the log of worker ${worker}`,
    command: logsCommand(endpoint.id, worker),
  }));
}

/** Something is wrong that no rule explains: the read that would. */
function unexplained(facts: Facts): readonly Unsettled[] {
  const { waiting, trend, job, endpoint, reads } = facts;
  const stands = waiting > 0 && trend !== "draining" && (trend !== "working" || lacksWorkers(facts));
  const failed = job !== null && ["FAILED", "TIMED_OUT"].includes(job.status.toUpperCase());
  const retried = job !== null && (job.retries ?? 0) > 0 && job.status.toUpperCase() !== "COMPLETED";
  if (!stands && !failed && !retried && trend !== "failing") return mostlyFailed(facts);
  const worker = job?.workerId ?? reads.workers.value.workers[0]?.id ?? null;
  const what = failed
    ? `job ${job.id} failed, and no line that was read names why`
    : retried
      ? `job ${job.id} was handed out again after its worker fell silent, and no line that was read names why; delayTime is of the last attempt`
      : "jobs wait, and nothing that was read explains why";
  return [
    {
      because: what,
      read:
        worker === null
          ? "health and workers, once more in a minute"
          : `the log of worker ${worker}, while the job runs`,
      command: worker === null ? `readback diagnose ${endpoint.id}` : logsCommand(endpoint.id, worker),
    },
  ];
}

/** The scaler's rule gives more workers than there are, and none starts. */
function lacksWorkers(facts: Facts): boolean {
  return starting(facts) === 0 && (wantedBy(facts) ?? 0) > facts.counts.total;
}

/** Nothing is wrong now, but most jobs failed; the counters do not say when, nor why. */
function mostlyFailed({ health, job, endpoint }: Facts): readonly Unsettled[] {
  const { failed = 0, completed = 0 } = health?.jobs ?? {};
  if (failed <= completed || job !== null) return [];
  return [
    {
      because: `${failed} failed and ${completed} completed so far, and nothing that was read says why`,
      read: `the status of a job that failed: readback diagnose ${endpoint.id} --job with its id`,
      command: null,
    },
  ];
}
