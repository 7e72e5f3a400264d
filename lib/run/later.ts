import { ReadbackError } from "../errors.ts";

/** What a value that only an apply can know stands for. */
export interface LaterInfo {
  /** The step that will give it, such as `run`. */
  readonly step: string;
  /** What it is, in words, such as `the job's id and output`. */
  readonly text: string;
}

const info: unique symbol = Symbol.for("readback.later") as never;

/**
 * Stands in a dry run for a value that only an apply can know. It is of the value's type, so that recipes need no second
 * way of writing; steps take it, recipes may pass it on or return it, and every look at it ends the plan there. The one
 * Proxy of the code base.
 *
 * The type must be an object: a truth test cannot be caught.
 *
 * @param onLook told of every look, since a recipe may catch the error
 */
export function later<T extends object>(about: LaterInfo, onLook: (about: LaterInfo) => void = () => {}): T {
  const refuse = (): never => {
    onLook(about);
    throw new LaterError(about);
  };
  return new Proxy(Object.create(null), {
    get(_, key) {
      if (key === info) return about;
      // An async function that returns this value looks for `then`.
      return key === "then" ? undefined : refuse();
    },
    has: (_, key) => (key === info ? true : refuse()),
    ...Object.fromEntries(OTHER_LOOKS.map((trap) => [trap, refuse])),
  }) as T;
}

const OTHER_LOOKS = [
  ...["set", "ownKeys", "getPrototypeOf", "getOwnPropertyDescriptor", "defineProperty", "deleteProperty"],
  ...["isExtensible", "preventExtensions", "setPrototypeOf"],
] as const;

/** What a value stands for, or null when it is a value and no stand-in. */
export function laterInfo(value: unknown): LaterInfo | null {
  if (typeof value !== "object" || value === null || !(info in value)) return null;
  return (value as { readonly [info]: LaterInfo })[info];
}

/** True for a stand-in, and for a value that holds one, down to a depth that no answer for a person has. */
export function holdsLater(value: unknown, depth = 6): boolean {
  if (typeof value !== "object" || value === null || depth === 0) return false;
  return laterInfo(value) !== null || Object.values(value).some((inner) => holdsLater(inner, depth - 1));
}

/** A recipe looked at a value that only an apply can know: the plan ends here, and is incomplete. */
export class LaterError extends ReadbackError {
  readonly later: LaterInfo;
  constructor(about: LaterInfo) {
    super("plan_incomplete", `${about.text} is known only after ${about.step} has run`);
    this.name = "LaterError";
    this.later = about;
  }
}
