/** A duration as a person reads it: `5m`, `1h30m`, `2.5s`, `100ms`; never "0s" for something that is not 0. */
export function durationText(ms: number): string {
  if (ms > 0 && ms < 1) return "1ms";
  if (ms < 999.5) return `${Math.round(ms)}ms`;
  if (ms < 59_950) return `${Math.round(ms / 100) / 10}s`;
  const seconds = Math.round(ms / 1_000);
  const parts = [
    [Math.floor(seconds / 3_600), "h"],
    [Math.floor((seconds % 3_600) / 60), "m"],
    [seconds % 60, "s"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count}${unit}`)
    .join("");
}
