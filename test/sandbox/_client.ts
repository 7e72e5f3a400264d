import type { FleetSettings, Sandbox } from "../../lib/sandbox/mod.ts";

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

/** Calls the invoke plane at an endpoint, image-generator unless another is named. */
export function invoke(
  sandbox: Sandbox,
  request: string,
  options: { body?: unknown; text?: string; key?: string | null; id?: string } = {},
): Promise<Answered> {
  const [method = "GET", path = ""] = request.split(" ");
  return call(sandbox, `${method} /invoke/v2/${options.id ?? QUEUE}/${path}`, options);
}

/** Submits a job and gives its id. */
export async function submit(
  sandbox: Sandbox,
  input: unknown = { prompt: "a red fox" },
  more: object = {},
): Promise<string> {
  return (await invoke(sandbox, "POST run", { body: { input, ...more } })).json.id;
}

/** The state of a job. */
export async function status(sandbox: Sandbox, job: string): Promise<Answered["json"]> {
  return (await invoke(sandbox, `GET status/${job}`)).json;
}

/** The body of `/health`. */
export async function health(sandbox: Sandbox, id = QUEUE): Promise<Answered["json"]> {
  return (await invoke(sandbox, "GET health", { id })).json;
}

/** The worker list. */
export async function workers(sandbox: Sandbox, id = QUEUE): Promise<Answered["json"]> {
  return (await call(sandbox, `GET /v2/serverless/${id}/workers`)).json;
}

/** How an endpoint's workers behave, to be set. */
export function settings(sandbox: Sandbox, id = QUEUE): FleetSettings {
  const fleet = sandbox.state.fleets.get(id);
  if (fleet === undefined) throw new Error(`no fleet ${id}`);
  return fleet.settings;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
