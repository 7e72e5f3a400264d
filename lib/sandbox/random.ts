/** A number in [0, 1), always the same sequence for a seed. */
export type Random = () => number;

/** A generator of its own for a seed and a purpose, so that one purpose drawing more does not move another. */
export function createRandom(seed: number, purpose: string): Random {
  let state = hash(`${seed}/${purpose}`);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The number of one named thing, whenever and in whatever order it is asked for. */
export function drawFor(seed: number, name: string): number {
  return createRandom(seed, name)();
}

/** An id as the service writes them: lower-case letters and digits. */
export function drawId(random: Random, length: number): string {
  const letters = "0123456789abcdefghijklmnopqrstuvwxyz";
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join("");
}

/** A UUID of version 4. */
export function drawUuid(random: Random): string {
  return "xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx".replace(/[xy]/g, (place) =>
    (place === "x" ? Math.floor(random() * 16) : 8 + Math.floor(random() * 4)).toString(16),
  );
}

function hash(text: string): number {
  let h = 2166136261;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 16777619);
  return h >>> 0;
}
