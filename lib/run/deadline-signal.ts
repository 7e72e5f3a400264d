/** A signal that is aborted after a while of real time, unless it is ended before. */
export interface DeadlineSignal {
  readonly signal: AbortSignal;
  /** Lets go of the timer: that of `AbortSignal.timeout` keeps Deno's process alive until it is due. */
  end(): void;
}

/** Starts a deadline, in milliseconds. */
export function deadlineSignal(ms: number): DeadlineSignal {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error(`no end within ${ms} ms`)), ms);
  return { signal: controller.signal, end: () => clearTimeout(timer) };
}
