import type { Clock } from "../clock.ts";

/** The time of a sandbox: the calls of `Clock`, and a hand to move it with. */
export interface SandboxClock extends Clock {
  /** Moves the time forward by `ms` and wakes what slept until then, in order. */
  advance(ms: number): void;
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

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Makes a clock: by hand for tests and commands, running (`speed`) for people. @throws RangeError - no useful speed */
export function createSandboxClock(options: SandboxClockOptions = {}): SandboxClock {
  const { speed } = options;
  if (speed !== undefined && !(speed > 0 && Number.isFinite(speed))) {
    throw new RangeError(`speed is ${speed}: expected a number above 0`);
  }
  const startedAt = Date.now();
  const sleepers: Sleeper[] = [];
  let base = options.startMs ?? (speed === undefined ? Date.UTC(2026, 10, 30, 12) : startedAt);
  let timer: ReturnType<typeof setTimeout> | undefined;

  return { now, sleep, advance };

  function now(): number {
    return speed === undefined ? base : base + (Date.now() - startedAt) * speed;
  }

  function advance(ms: number): void {
    const target = now() + ms;
    if (speed !== undefined) base += ms;
    wakeUntil(target);
    if (speed === undefined) base = Math.max(base, target);
    arm();
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper: Sleeper = { at: now() + ms, wake };
      sleepers.push(sleeper);
      sleepers.sort((a, b) => a.at - b.at);
      signal?.addEventListener("abort", stop, { once: true });
      arm();
      function wake(): void {
        signal?.removeEventListener("abort", stop);
        resolve();
      }
      function stop(): void {
        sleepers.splice(sleepers.indexOf(sleeper), 1);
        reject(signal?.reason);
        arm();
      }
    });
  }

  /** One timer for the earliest sleeper, so that parallel sleeps end in order and an aborted one moves nothing. */
  function arm(): void {
    clearTimeout(timer);
    const first = sleepers[0];
    if (first === undefined) return;
    timer = setTimeout(pump, speed === undefined ? 0 : Math.max(0, (first.at - now()) / speed));
  }

  function pump(): void {
    const first = sleepers[0];
    // A timer of the machine may come a little early; then nobody is due yet.
    if (first !== undefined) wakeUntil(speed === undefined ? first.at : now());
    arm();
  }

  function wakeUntil(target: number): void {
    for (let first = sleepers[0]; first !== undefined && first.at <= target; first = sleepers[0]) {
      sleepers.shift();
      if (speed === undefined) base = Math.max(base, first.at);
      first.wake();
    }
  }
}
