import { AsyncLocalStorage } from "node:async_hooks";
import type { LookClient } from "../api/client.ts";
import type { ReadAt } from "../wait/wait-for.ts";

/** The poll of a wait that the running code is part of; a recipe's predicate calls steps that know nothing of it. */
const polls = new AsyncLocalStorage<ReadAt>();

/** Runs one poll of a wait: every look inside it, through {@link boundByPoll}, has its deadline and its end. */
export async function withinPoll<T>(at: ReadAt, read: () => Promise<T>): Promise<T> {
  return await polls.run(at, read);
}

/**
 * A client whose looks keep to the poll they are part of: one attempt, since the wait is what repeats, no longer than the
 * poll, and ended with it. Outside a poll it is the client itself.
 */
export function boundByPoll(client: LookClient): LookClient {
  return {
    target: client.target,
    get reads() {
      return client.reads;
    },
    async look(path, options = {}) {
      const poll = polls.getStore();
      if (poll === undefined) return await client.look(path, options);
      const { timeoutMs = poll.timeoutMs, signal } = options;
      const bounded = {
        ...options,
        attempts: 1,
        maxRateWaitMs: 0,
        timeoutMs: Math.min(timeoutMs, poll.timeoutMs),
        signal: signal === undefined ? poll.signal : AbortSignal.any([signal, poll.signal]),
      };
      try {
        return await client.look(path, bounded);
      } catch (error) {
        // A poll that its wait ended is no interrupt of the run: the wait's reason tells which it is.
        throw poll.signal.aborted ? poll.signal.reason : error;
      }
    },
  };
}
