import { clearTimeout, setTimeout } from "node:timers"; // the global one of Deno cannot be unreferenced
import type { Clock } from "../clock.ts";

/** The time of a sandbox: the calls of `Clock`, a hand to move it with, and what happens by itself. */
export interface SandboxClock extends Clock {
  /** Moves the time forward by `ms`: what is due happens and what slept until then wakes, in order. */
  advance(ms: number): void;
  /**
   * Lets something happen at a time, in milliseconds since the epoch; while it happens, that is the time. Unlike a
   * sleep it never moves a clock without speed. A time in the past is due at the next move, `advance(0)` included.
   *
   * @returns takes it back
   */
  at(timeMs: number, happen: () => void): () => void;
}

export interface SandboxClockOptions {
  /** Where the time starts, in milliseconds since the epoch. @default 2026-11-30T12:00:00Z, or now with `speed` */
  readonly startMs?: number;
  /**
   * How many times faster than the wall clock the time runs. Without it nothing moves by itself: `advance` does, and a
   * `sleep` moves the time at once.
   */
  readonly speed?: number;
}

interface Entry {
  readonly at: number;
  readonly kind: "event" | "sleeper";
  readonly happen: () => void;
}

/** Makes a clock: by hand for tests and commands, running (`speed`) for people. @throws RangeError - no useful speed */
export function createSandboxClock(options: SandboxClockOptions = {}): SandboxClock {
  const { speed } = options;
  if (speed !== undefined && !(speed > 0 && Number.isFinite(speed))) {
    throw new RangeError(`speed is ${speed}: expected a number above 0`);
  }
  const startedAt = Date.now();
  const agenda = createAgenda();
  let base = options.startMs ?? (speed === undefined ? Date.UTC(2026, 10, 30, 12) : startedAt);
  let happening: number | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  return { now, sleep, advance, at };

  function now(): number {
    if (happening !== null) return happening;
    return speed === undefined ? base : base + (Date.now() - startedAt) * speed;
  }

  function advance(ms: number): void {
    const target = now() + ms;
    if (speed !== undefined) base += ms;
    while (runNext(target));
    if (speed === undefined) base = Math.max(base, target);
    arm();
  }

  function at(timeMs: number, happen: () => void): () => void {
    const remove = agenda.add({ at: timeMs, kind: "event", happen });
    if (happening === null) arm();
    return remove;
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const remove = agenda.add({ at: now() + ms, kind: "sleeper", happen: wake });
      signal?.addEventListener("abort", stop, { once: true });
      arm();
      function wake(): void {
        signal?.removeEventListener("abort", stop);
        resolve();
      }
      function stop(): void {
        remove();
        reject(signal?.reason);
        if (happening === null) arm();
      }
    });
  }

  /** One timer for the earliest entry, so that parallel sleeps end in order and an aborted one moves nothing. */
  function arm(): void {
    clearTimeout(timer);
    const first = agenda.first();
    if (first === undefined || (speed === undefined && agenda.sleepers() === 0)) return;
    timer = setTimeout(pump, speed === undefined ? 0 : waitMs(first.at, speed));
    if (agenda.sleepers() === 0) timer.unref();
  }

  function waitMs(due: number, factor: number): number {
    return Math.min(Math.max(0, (due - now()) / factor), 2 ** 31 - 1);
  }

  /** By hand: until the first sleeper wakes, or leaves because of what happened. Running: all that is due. */
  function pump(): void {
    if (speed !== undefined) while (runNext(now()));
    else {
      const asleep = agenda.sleepers();
      while (agenda.sleepers() === asleep && runNext(Number.POSITIVE_INFINITY));
    }
    arm();
  }

  function runNext(target: number): boolean {
    const entry = agenda.take(target);
    if (entry === undefined) return false;
    if (speed === undefined) base = Math.max(base, entry.at);
    if (entry.kind === "event") happening = entry.at;
    try {
      entry.happen();
    } finally {
      happening = null;
    }
    return true;
  }
}

/** What is to come, by time; at the same time events come before sleepers, so that who wakes sees what has happened. */
function createAgenda() {
  const entries: Entry[] = [];
  let asleep = 0;
  return {
    first: () => entries[0],
    sleepers: () => asleep,
    add(entry: Entry): () => void {
      entries.splice(place(entry), 0, entry);
      if (entry.kind === "sleeper") asleep += 1;
      return () => void drop(entries.indexOf(entry, Math.max(0, firstAt(entry.at))));
    },
    take: (target: number) => (entries[0] !== undefined && entries[0].at <= target ? drop(0) : undefined),
  };

  function drop(index: number): Entry | undefined {
    const [entry] = index < 0 ? [] : entries.splice(index, 1);
    if (entry?.kind === "sleeper") asleep -= 1;
    return entry;
  }

  function place(entry: Entry): number {
    return search((other) => other.at < entry.at || (other.at === entry.at && other.kind <= entry.kind));
  }

  function firstAt(at: number): number {
    return search((other) => other.at < at);
  }

  /** How many entries from the start fulfil a condition that holds for the first ones only. */
  function search(comesBefore: (entry: Entry) => boolean): number {
    let [low, high] = [0, entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = entries[middle];
      if (entry !== undefined && comesBefore(entry)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
