import { bigIntegers } from "./big-integers.ts";
import { bigOutput } from "./big-output.ts";
import { echo } from "./echo.ts";
import { fail } from "./fail.ts";
import { generateImage } from "./generate-image.ts";
import type { WorkFor } from "./handler.ts";
import { raise } from "./raise.ts";
import { silent } from "./silent.ts";
import { sleep } from "./sleep.ts";
import { stream } from "./stream.ts";

/** The handlers that a scenario can name. */
export const HANDLERS: Readonly<Record<string, WorkFor>> = {
  "generate-image": generateImage,
  echo,
  sleep,
  fail,
  raise,
  stream,
  "big-output": bigOutput,
  "big-integers": bigIntegers,
  silent,
};

/** Finds a handler. @throws RangeError - there is none of that name; the message lists those that exist */
export function findHandler(handler: string | WorkFor): WorkFor {
  if (typeof handler === "function") return handler;
  const found = Object.hasOwn(HANDLERS, handler) ? HANDLERS[handler] : undefined;
  if (found) return found;
  throw new RangeError(
    `There is no sandbox handler "${handler}"; there are ${Object.keys(HANDLERS).join(", ")}`,
  );
}
