import { durationText } from "../lib/wait/duration-text.ts";
import type { JobWaitEvent } from "../lib/wait/wait-for-job.ts";

/** Tells a person how a wait for a job goes: each change of state, each outage once, and now and then that it goes on. */
export function jobNotes(job: string, note: (text: string) => void): (event: JobWaitEvent) => void {
  return (event) => {
    if (event.kind === "status") note(`job ${job} ${event.status}`);
    if (event.kind === "failed_read" && event.inARow === 1)
      note(`a read failed, trying again: ${event.error.message}`);
    if (event.kind === "still_waiting")
      note(
        `still waiting for job ${job} (${event.status ?? "no status yet"}) after ${durationText(event.waitedMs)}`,
      );
  };
}
