/** Rings whenever something in the world has changed, for those who hold a request open until it does. */
export interface Bell {
  ring(): void;
  /** Calls back at every ring. @returns stops it */
  onRing(listener: () => void): () => void;
}

/** Makes a bell. */
export function createBell(): Bell {
  const listeners = new Set<() => void>();
  return {
    ring: () => {
      for (const listener of [...listeners]) listener();
    },
    onRing(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
