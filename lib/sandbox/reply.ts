import type { Frames } from "./outcome.ts";

/** An answer before it becomes bytes. */
export interface Reply {
  readonly status: number;
  /** The body, as JSON; undefined is no body. */
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of an event stream, in place of `json`. */
  readonly frames?: Frames;
}

/** A refusal, in the words of `application/problem+json`. */
export interface Problem {
  readonly status: number;
  readonly detail: string;
  /** Present for body validation only (runpod-api.md 2.2). */
  readonly errors?: readonly string[];
}

const TITLES: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  422: "Unprocessable Entity",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
};

/** A successful answer. */
export function ok(json: unknown, status = 200): Reply {
  return { status, json };
}

/** The answer to a refused request: `{title, status, detail, errors?}` (runpod-api.md 2.2). */
export function refuse(problem: Problem, headers: Readonly<Record<string, string>> = {}): Reply {
  const { status, detail, errors } = problem;
  const title = TITLES[status] ?? "Error";
  return {
    status,
    json: { title, status, detail, ...(errors === undefined ? {} : { errors }) },
    headers: { "content-type": "application/problem+json", ...headers },
  };
}

/** An id that names nothing, or nothing of the caller's. */
export const NOT_FOUND: Problem = { status: 404, detail: "resource not found" };

/** A body or a parameter that fails the schema. */
export function invalid(errors?: readonly string[]): Problem {
  return { status: 422, detail: "Request validation failed.", ...(errors === undefined ? {} : { errors }) };
}
