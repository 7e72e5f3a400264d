import type { Sandbox } from "../../lib/sandbox/mod.ts";

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  readonly json: any;
}

/** Sends one request to a sandbox and reads the answer whole. */
export async function call(
  sandbox: Sandbox,
  request: string,
  options: { body?: unknown; text?: string; key?: string | null } = {},
): Promise<Answered> {
  const [method = "GET", path = "/"] = request.split(/ (.*)/);
  const key = options.key === undefined ? sandbox.key : options.key;
  const body = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
  const response = await sandbox.fetch(
    new Request(sandbox.origin + path, {
      method,
      headers: key === null ? {} : { authorization: `Bearer ${key}` },
      ...(body === undefined ? {} : { body }),
    }),
  );
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: parse(text) };
}

export const QUEUE = "4m7x2k9q";
export const CPU = "7c3v1n8p";
export const BALANCER = "9k2w5t1r";
export const PINNED = "3p8n6v2d";

/** Patches an endpoint. */
export function patch(sandbox: Sandbox, id: string, body: unknown): Promise<Answered> {
  return call(sandbox, `PATCH /v2/serverless/${id}`, { body });
}

/** Reads an endpoint. */
export async function read(sandbox: Sandbox, id: string): Promise<Answered["json"]> {
  return (await call(sandbox, `GET /v2/serverless/${id}`)).json;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
