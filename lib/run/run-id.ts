/** `20261130T120000Z-7f3a`: when a run began, and four digits that tell runs of one second apart. */
export function runIdOf(startedMs: number): string {
  const time = new Date(startedMs)
    .toISOString()
    .replace(/[-:]/g, "")
    .replace(/\.\d+Z$/, "Z");
  const tail = crypto.getRandomValues(new Uint8Array(2));
  return `${time}-${[...tail].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
