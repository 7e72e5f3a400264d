/** What is wrong with a threshold for a kind of scaling; null when it fits. */
export function thresholdMisfit(by: "delay" | "requests", threshold: number): string | null {
  if (by === "delay" && threshold < 0.5)
    return `Cannot use --scale-threshold ${threshold}: a queue delay is at least 0.5 seconds`;
  if (by === "requests" && (!Number.isInteger(threshold) || threshold < 1))
    return `Cannot use --scale-threshold ${threshold}: a request count is a whole number of at least 1`;
  return null;
}
