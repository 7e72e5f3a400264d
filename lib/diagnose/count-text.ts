/** `1 job`, `3 jobs`: a number that was read, with its noun. */
export function countText(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** `1 job waits`, `3 jobs wait`. */
export function waitText(count: number): string {
  return `${countText(count, "job")} ${count === 1 ? "waits" : "wait"}`;
}
