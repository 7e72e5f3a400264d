import type { Health } from "../api/health.ts";

/**
 * Where a queue is going, told by two samples some seconds apart. `draining`: jobs complete or leave. `failing`: they leave by
 * failing alone. `working`: jobs run, and none ended in between. `stuck`: they wait and nothing runs. `unknown`: one sample.
 */
export type Trend = "empty" | "draining" | "failing" | "working" | "growing" | "stuck" | "unknown";

/** Reads the trend off two samples. @param waiting jobs that wait, at least those of `latest` */
export function trendOf(earlier: Health | null, latest: Health | null, waiting: number): Trend {
  if (waiting === 0) return "empty";
  if (earlier === null || latest === null) return "unknown";
  const grown = change(earlier, latest, "inQueue");
  if (grown > 0) return "growing";
  if (change(earlier, latest, "completed") > 0) return "draining";
  if (change(earlier, latest, "failed") > 0) return "failing";
  const runs = (earlier.jobs.inProgress ?? 0) + (latest.jobs.inProgress ?? 0) > 0;
  if (runs) return grown < 0 ? "draining" : "working";
  return grown < 0 ? "draining" : "stuck";
}

/** How far a counter moved; 0 where one of the samples has none. */
export function change(earlier: Health, latest: Health, counter: keyof Health["jobs"]): number {
  const [before, after] = [earlier.jobs[counter], latest.jobs[counter]];
  return before === undefined || after === undefined ? 0 : after - before;
}
