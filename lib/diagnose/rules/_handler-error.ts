import type { JobRead } from "../reads.ts";

/** What a handler that raised left in a job's error (runpod-api.md 3.4). */
export interface HandlerError {
  readonly type: string;
  readonly message: string;
}

/** Reads it off a job that failed; null where the error is the platform's own, or none. */
export function handlerError(job: JobRead | null): HandlerError | null {
  if (job === null || job.error === null || job.status.toUpperCase() !== "FAILED") return null;
  const { error } = job;
  if (/^job timed out after \d+ retries$/.test(error)) return null;
  try {
    const { error_type: type, error_message: message } = JSON.parse(error) as Record<string, unknown>;
    if (typeof type === "string") return { type, message: typeof message === "string" ? message : "" };
  } catch {
    // A handler that returns an error gives plain text.
  }
  return { type: "", message: error };
}
