import { type ErrorCode, isReadbackError, ReadbackError } from "../errors.ts";

export type StepKind = "look" | "change";

/** Refusals stay: after one of these nothing more is sent, even if the recipe caught the error. */
const STICKY: readonly ErrorCode[] = [
  "undeclared_mutation",
  "endpoint_not_named",
  "recipe_error",
  "interrupted",
  "plan_mismatch",
  "plan_incomplete",
  "drift",
];

/** Keeps track of the steps of one run: which are under way, whether a change overlaps, and what was refused. */
export interface Session {
  /** Runs one step. @throws the refusal that stopped the run, if there was one */
  step<T>(name: string, kind: StepKind, work: () => Promise<T>): Promise<T>;
  /** Ends the run. @throws the sticky refusal, or recipe_error when run() returned and a step is still under way */
  end(how: "returned" | "threw"): void;
}

/** Starts tracking. @param onLate told of a step after the end, whose error the recipe may catch */
export function createSession(recipe: string, onLate: (error: ReadbackError) => void): Session {
  const active = new Map<number, { name: string; kind: StepKind }>();
  let refusal: ReadbackError | null = null;
  let ended = false;
  let count = 0;

  function refuse(text: string): ReadbackError {
    refusal ??= new ReadbackError("recipe_error", `Recipe ${recipe}: ${text}`);
    return refusal;
  }
  function assertMayStart(name: string, kind: StepKind): void {
    if (refusal && !ended) throw refusal;
    if (ended) {
      const late = refuse(`${name} was called after run() had returned`);
      onLate(late);
      throw late;
    }
    const others = [...active.values()];
    const other = kind === "change" ? others[0] : others.find((step) => step.kind === "change");
    if (other) throw refuse(`${name} overlaps ${other.name}: await each change, and no other step beside it`);
  }

  return {
    async step(name, kind, work) {
      assertMayStart(name, kind);
      const id = count++;
      active.set(id, { name, kind });
      try {
        return await work();
      } catch (error) {
        if (isReadbackError(error) && STICKY.includes(error.code)) refusal ??= error;
        throw error;
      } finally {
        active.delete(id);
      }
    },
    end(how) {
      ended = true;
      const [pending] = active.values();
      if (pending && how === "returned")
        refuse(`run() returned while ${pending.name} was still under way: await every step`);
      if (refusal) throw refusal;
    },
  };
}
