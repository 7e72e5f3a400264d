import { type ErrorCode, ReadbackError, type ReadbackErrorOptions } from "../errors.ts";

/**
 * An error that came with something from the service: it belongs on stdout, and never into the error object, which
 * goes to logs. What prints or copies an error's fields does not meet it either.
 */
export class PayloadError extends ReadbackError {
  readonly #payload: string;

  constructor(
    code: ErrorCode,
    message: string,
    options: ReadbackErrorOptions & { readonly payload: string },
  ) {
    super(code, message, options);
    this.#payload = options.payload;
  }

  /** The JSON text as it came. */
  get payload(): string {
    return this.#payload;
  }
}

/** Gives what the service sent with an error, also where that error is the cause of another; null where it sent nothing. */
export function payloadOf(error: unknown): string | null {
  let at = error;
  for (let depth = 0; depth < 6 && at instanceof Error; depth += 1) {
    if (at instanceof PayloadError) return at.payload;
    at = at.cause;
  }
  return null;
}

/** Makes an error that carries a payload where there is one. */
export function withPayload(
  code: ErrorCode,
  message: string,
  options: ReadbackErrorOptions & { readonly payload: string | null },
): ReadbackError {
  const { payload, ...rest } = options;
  return payload === null
    ? new ReadbackError(code, message, rest)
    : new PayloadError(code, message, { ...rest, payload });
}
