/** Every way a command can fail, as scripts see it in the `code` of the error object. */
export type ErrorCode =
  | "usage_error"
  | "not_found"
  | "unauthorized"
  | "forbidden"
  | "bad_request"
  | "unprocessable"
  | "conflict"
  | "rate_limited"
  | "server_error"
  | "network_error"
  | "api_error"
  | "no_credentials"
  | "call_timeout"
  | "wait_timeout"
  | "job_failed"
  | "undeclared_mutation"
  | "endpoint_not_named"
  | "plan_mismatch"
  | "drift"
  | "plan_expired"
  | "plan_used"
  | "plan_incomplete"
  | "limit_exceeded"
  | "not_confirmed"
  | "not_applied"
  | "wrong_value"
  | "other_fields_changed"
  | "unverifiable"
  | "partially_applied"
  | "interrupted"
  | "recipe_error"
  | "shell_failed";

/** Machine-readable facts beside the message; `docs/json.md` lists the keys in use. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface ReadbackErrorOptions {
  readonly cause?: unknown;
  /** True only when doing the same again cannot do harm. @default false */
  readonly retryable?: boolean;
  /** HTTP status, where one was received. @default null */
  readonly status?: number | null;
  /** A command to run next. @default null */
  readonly followUp?: string | null;
  readonly details?: ErrorDetails;
}

/** The one error class of Readback: what could not be done, to what, why, and the value at fault. */
export class ReadbackError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly status: number | null;
  readonly followUp: string | null;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, options: ReadbackErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "ReadbackError";
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.status = options.status ?? null;
    this.followUp = options.followUp ?? null;
    this.details = options.details ?? {};
  }
}

/** The error object of JSON.md, in its field order. */
export interface ErrorDocument {
  readonly error: string;
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly status: number | null;
  readonly followUp: string | null;
  readonly details: ErrorDetails;
}

/** Gives the machine form of an error. */
export function errorDocument(error: ReadbackError): ErrorDocument {
  const { message, code, retryable, status, followUp, details } = error;
  return { error: message, code, retryable, status, followUp, details };
}

const EXIT_STATUS: Partial<Record<ErrorCode, number>> = {
  usage_error: 2,
  undeclared_mutation: 3,
  endpoint_not_named: 3,
  limit_exceeded: 3,
  not_confirmed: 3,
  plan_incomplete: 3,
  drift: 4,
  plan_expired: 4,
  plan_used: 4,
  plan_mismatch: 4,
  not_applied: 5,
  wrong_value: 5,
  other_fields_changed: 5,
  unverifiable: 5,
  partially_applied: 6,
  interrupted: 130,
};

/** The exit status of a code: the one place that maps them (1 where the table says nothing else). */
export function exitStatus(code: ErrorCode): number {
  return EXIT_STATUS[code] ?? 1;
}

/** True for a `ReadbackError`, optionally of one code. */
export function isReadbackError(error: unknown, code?: ErrorCode): error is ReadbackError {
  return error instanceof ReadbackError && (code === undefined || error.code === code);
}
