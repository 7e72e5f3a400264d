import type { Scope } from "./scopes.ts";

// A phantom: it exists for the compiler alone. Contravariant, so that a context with more scopes fits where fewer are asked for.
declare const granted: unique symbol;

/**
 * The context that every step takes first. `S` is the union of the scopes the recipe declared in `mutates`; a step
 * that changes something asks for the scopes it needs, so an undeclared change does not compile.
 *
 * Read-only steps take `Ops`, which every context fits.
 */
export interface Ops<in S extends Scope = never> {
  readonly [granted]: (scope: S) => void;
  /** The time of the run; a second pass over the recipe sees the same values. */
  now(): Date;
  /** A number from 0 (included) to 1 (excluded); a second pass over the recipe sees the same values. */
  random(): number;
  /** Aborted when the person interrupts the run. */
  readonly signal: AbortSignal;
  /** Tells the person something, in one line; the library itself never prints. */
  note(text: string): void;
}
