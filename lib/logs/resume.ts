import type { LogQuery } from "../api/logs.ts";
import { type LogLine, stampOf } from "./log-line.ts";

/** Where the log of one worker goes on after a connection is lost, and which lines were given already. */
export interface Resume {
  /** A new connection: what it sends may have been sent before. */
  connected(): void;
  sawId(id: string): void;
  /** True for a line that was not given yet. */
  isNew(line: LogLine, id: string | undefined): boolean;
  /** What to ask for next: `first` as long as nothing came. */
  next(first: LogQuery): LogQuery;
}

/** Lines that are remembered for sure; a tail has at most 5000. */
const REMEMBERED = 10_000;

interface Given {
  /** How often it was given to the reader in all. */
  given: number;
  /** The connection that counts, and how often it sent the line. */
  connection: number;
  here: number;
}

/**
 * The service's cursor is exclusive, and lines can share an id, since system lines have whole seconds (runpod-api.md
 * 2.11): behind the last id, siblings of the last line would be lost. So the reading goes on behind the last id before
 * the last line's second, and what comes again is told by id, source, text and how many times the connection sent it:
 * never by its text alone, since programs repeat themselves.
 */
export function createResume(): Resume {
  const memory = createMemory();
  let connection = 0;
  let firstId: string | null = null;
  let lastId: string | null = null;
  let before: string | null = null;
  let second = "";
  let sinceBefore = 0;
  let started = false;

  function sawId(id: string): void {
    const at = secondOf(id);
    if (at !== null && at > second) {
      if (lastId !== null) before = lastId;
      second = at;
      sinceBefore = 0;
    }
    firstId ??= id;
    lastId = id;
  }

  return {
    connected() {
      connection += 1;
    },
    sawId,
    isNew(line, id) {
      started = true;
      sinceBefore += 1;
      const key = `${id ?? line.ts ?? ""} ${line.source ?? ""} ${line.line.length} ${hash(line.line)}`;
      const entry = memory.entry(key, () => ({ given: 0, connection, here: 0 }));
      entry.here = entry.connection === connection ? entry.here + 1 : 1;
      entry.connection = connection;
      if (id === undefined && line.ts !== null) sawId(line.ts);
      if (entry.here <= entry.given) return false;
      entry.given = entry.here;
      return true;
    },
    next(first) {
      const { tail: _, since: __, ...source } = first;
      if (lastId === null || !/^[\x21-\x7e]+$/.test(lastId)) return started ? { ...source, tail: 0 } : first;
      if (secondOf(lastId) === null) return { ...source, lastEventId: lastId };
      const earlier = before ?? (firstId === lastId ? null : firstId);
      const cursor = sinceBefore > REMEMBERED ? lastId : earlier;
      // `since` counts only where the cursor does not get through.
      return { ...source, since: lastId, ...(cursor === null ? {} : { lastEventId: cursor }) };
    },
  };
}

/** Remembers by halves: what is looked up moves on, and the older half goes at once. */
function createMemory(): { entry(key: string, fresh: () => Given): Given } {
  let newer = new Map<string, Given>();
  let older = new Map<string, Given>();
  return {
    entry(key, fresh) {
      const known = newer.get(key) ?? older.get(key);
      const entry = known ?? fresh();
      newer.set(key, entry);
      if (newer.size > REMEMBERED) {
        older = newer;
        newer = new Map();
      }
      return entry;
    },
  };
}

/** The second of an instant, in a form that compares as text; null for an id that is none. */
function secondOf(id: string): string | null {
  if (stampOf(id) === null) return null;
  return id.endsWith("Z") ? id.slice(0, 19) : new Date(id).toISOString().slice(0, 19);
}

/** 53 bits (cyrb53), so that no line is held for the sake of being known again. */
function hash(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (2097151 & b) + (a >>> 0);
}
