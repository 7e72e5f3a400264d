import { dollars } from "../plan/money.ts";
import type { Paint } from "../plan/paint.ts";
import { cleanText } from "./clean.ts";
import type { Document, ReadEntry } from "./document.ts";
import type { Evidence, Finding, LogEvidence, Recommendation } from "./finding.ts";

/** What fits one screen. */
const MOST_LOG_LINES = 4;
const LONGEST_LINE = 300;
const MOST_RULED_OUT = 6;
const MOST_BESIDE = 3;

/** A diagnosis as a person reads it: verdict, queue, why, what it is not, what was not read, and what to do. */
export function diagnosisText(document: Document, paint: Paint): string {
  const [decisive, ...beside] = document.findings;
  const { endpoint } = document;
  const blocks = [
    [
      `${verdictWord(document, paint)}  ${paint.bold(cleanText(endpoint.name, 60))} ${cleanText(endpoint.id, 60)}  ${endpoint.type ?? ""}`.trimEnd(),
      ...(decisive === undefined ? [] : [cleanText(decisive.summary, 400)]),
    ],
    [`Queue      ${queueText(document)}`, `Workers    ${workersText(document)}`],
    decisive === undefined ? [] : whyLines(decisive, document.reads),
    beside
      .slice(0, MOST_BESIDE)
      .map(({ cause, summary }, i) => `${head("Also", i)}${cause}: ${cleanText(summary, 160)}`),
    ruledOutLines(document, paint),
    openLines(document, paint),
    decisive === undefined ? [] : adviceLines(decisive.recommendations, paint),
  ];
  return blocks.flat().join("\n");
}

function verdictWord({ verdict, findings }: Document, paint: Paint): string {
  const [first] = findings;
  const cause = first === undefined ? "" : `: ${first.cause}`;
  if (verdict === "problem") return paint.bad(`PROBLEM${cause}`);
  if (verdict === "unclear") return paint.warn("UNCLEAR");
  return paint.good(`HEALTHY${cause}`);
}

function queueText({ queue }: Document): string {
  if (queue.inQueue === null && queue.waiting === 0) return "no counters read";
  const asked = queue.inQueue !== queue.waiting ? ` (and the job asked about: ${queue.waiting} wait)` : "";
  const trend = TREND_WORDS[queue.trend] ?? queue.trend;
  const ended = `${queue.completed ?? 0} completed, ${queue.failed ?? 0} failed so far`;
  return `${queue.inQueue ?? 0} queued${asked}, ${queue.inProgress} running: ${trend}; ${ended}`;
}

function workersText({ workers }: Document): string {
  const { total, max, ...counts } = workers;
  const shown = Object.entries(counts).filter(([, count]) => count > 0);
  return `${total === 0 ? "none" : shown.map(([name, count]) => `${count} ${name}`).join(", ")}; max ${max}`;
}

const TREND_WORDS: Readonly<Record<string, string>> = {
  empty: "nothing waits",
  draining: "draining",
  failing: "jobs leave by failing only",
  working: "jobs run, none ended between two samples",
  growing: "growing",
  stuck: "stuck, nothing moved between two samples",
  unknown: "one sample only",
};

function whyLines({ evidence }: Finding, reads: readonly ReadEntry[]): readonly string[] {
  const lines = evidence.flatMap((entry) => ("line" in entry ? [logText(entry)] : []));
  const shown = [...new Set([...lines.slice(0, MOST_LOG_LINES), ...valueLines(evidence, reads)])];
  return shown.map((text, i) => `${head("Why", i)}${text}`);
}

function logText({ ts, worker, line }: LogEvidence): string {
  return `${ts ?? "time not stated"} ${cleanText(worker, 40)} | ${cleanText(line)}`;
}

/** One line a read, with its time: what was counted in logs too. */
function valueLines(evidence: readonly Evidence[], reads: readonly ReadEntry[]): readonly string[] {
  const byRead = new Map<string, string[]>();
  for (const entry of evidence) {
    if ("line" in entry) continue;
    const texts = byRead.get(entry.read) ?? [];
    texts.push(`${cleanText(entry.field, 80)} ${cleanText(valueText(entry.value), 120)}`);
    byRead.set(entry.read, texts);
  }
  return [...byRead].map(([read, texts]) => {
    const at = reads.find((done) => done.ok && done.read === read)?.at;
    const time = at === undefined ? "" : ` ${at.replace(/\.\d+Z$/, "Z")}`;
    return `${cleanText(`${read}${time}: ${[...new Set(texts)].join(", ")}`, LONGEST_LINE)}`;
  });
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function ruledOutLines({ ruledOut }: Document, paint: Paint): readonly string[] {
  return ruledOut
    .slice(0, MOST_RULED_OUT)
    .map(({ cause, because }, i) => paint.dim(`${head("Not", i)}${cause}: ${cleanText(because, 160)}`));
}

function openLines({ unsettled, reads }: Document, paint: Paint): readonly string[] {
  const failed = reads.filter(({ ok }) => !ok);
  const unread = failed.map(
    ({ read, worker, status, code }, i) =>
      `${head("Not read", i)}${read}${worker === undefined ? "" : ` of ${cleanText(worker, 40)}`}: ${status === null || status === undefined ? (NO_STATUS[code ?? ""] ?? code) : `HTTP ${status}`}`,
  );
  const open = unsettled.flatMap(({ because, read, command }, i) => [
    `${head("Open", i)}${cleanText(because, 240)}`,
    `${head("", 0)}to settle: ${cleanText(read, 160)}${command === null ? "" : `: ${paint.bold(command)}`}`,
  ]);
  return [...unread, ...open].map((line) => paint.warn(line));
}

const NO_STATUS: Readonly<Record<string, string>> = {
  call_timeout: "no answer; a worker that has nothing to say looks the same",
  network_error: "no connection",
};

function adviceLines(recommendations: readonly Recommendation[], paint: Paint): readonly string[] {
  return recommendations.flatMap(({ text, command, cost }, i) => [
    `${head("To do", i)}${i + 1}. ${cleanText(text, 300)}`,
    ...(command === null ? [] : [`${head("", 0)}   ${paint.bold(command)}`]),
    ...(cost === null ? [] : [`${head("", 0)}   ${costText(cost)}`]),
  ]);
}

function costText(cost: NonNullable<Recommendation["cost"]>): string {
  const pairs: readonly (readonly [string, { before: number | null; after: number | null }])[] = [
    ["per worker-hour", cost.workerHourUsd],
    ["standing per hour", cost.standingPerHourUsd],
    ["at most per hour", cost.ceilingPerHourUsd],
  ];
  const moved = pairs.filter(([, { before, after }]) => before !== after || after === null);
  const text = moved.map(([name, { before, after }]) => `${name} ${dollars(before)} → ${dollars(after)}`);
  return `cost: ${text.length === 0 ? "as before" : text.join(", ")}`;
}

/** The word of a block stands before its first line alone. */
function head(word: string, i: number): string {
  return (i === 0 ? word : "").padEnd(11);
}
