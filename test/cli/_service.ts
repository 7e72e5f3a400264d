import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { KEY } from "./_spawn.ts";

/** One request as it arrived. */
export interface Arrival {
  readonly method: string;
  /** Below the invoke plane's `/v2`: `/ep_a/run`; of the control plane whole: `/v2/serverless/ep_a`. */
  readonly path: string;
  readonly query: string;
  readonly body: string;
  readonly atMs: number;
}

/** What a route answers: a JSON text, an answer, or null for silence. */
export type Answer =
  | string
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  | null;
/** Gives the answer to the `count`th request of its route, from 1. */
export type Route = (arrival: Arrival, count: number) => Answer | Promise<Answer>;

export interface Service {
  readonly env: Record<string, string>;
  readonly arrivals: readonly Arrival[];
  /** As `POST /ep_a/run`, those of the invoke plane alone. */
  invoked(): readonly string[];
  changes(): readonly Arrival[];
  /** Resolves when a request whose line starts so has arrived. */
  seen(line: string): Promise<void>;
  close(): Promise<void>;
}

/** An endpoint of the control plane; other fields as a real one has them. */
export function endpointText(changes: Record<string, unknown> = {}): string {
  return JSON.stringify({ ...ENDPOINT, ...changes });
}

/**
 * A service on loopback: the endpoint `ep_a`, named `img`, and invoke routes by `METHOD /path`, where `*` stands for any one part. What has no
 * route is a 404.
 */
export async function service(
  routes: Readonly<Record<string, Route | Answer>>,
  control: Readonly<Record<string, Route | Answer>> = {},
): Promise<Service> {
  const arrivals: Arrival[] = [];
  const counts = new Map<string, number>();
  const waiting: { line: string; resolve: () => void }[] = [];
  const all: Readonly<Record<string, Route | Answer>> = {
    "GET /v2/serverless/ep_a": endpointText(),
    "GET /v2/serverless": `{"endpoints":[${endpointText()}]}`,
    ...control,
    ...routes,
  };
  const server = createServer((request, response) => void handle(request, response));
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part as Uint8Array);
    const url = new URL(request.url ?? "", "http://x");
    const path = url.pathname.replace(/^\/invoke\/v2/, "");
    const { method = "" } = request;
    const body = Buffer.concat(parts).toString("utf8");
    const arrival = { method, path, query: url.search, body, atMs: Date.now() };
    arrivals.push(arrival);
    for (const one of waiting) if (`${method} ${path}`.startsWith(one.line)) one.resolve();
    const key = Object.keys(all).find((pattern) => fits(pattern, `${method} ${path}`));
    const route = key === undefined ? NOT_FOUND : (all[key] ?? null);
    const count = (counts.get(key ?? "") ?? 0) + 1;
    counts.set(key ?? "", count);
    const answer = typeof route === "function" ? await route(arrival, count) : route;
    if (answer === null) return;
    const {
      status,
      headers = {},
      body: text,
    } = typeof answer === "string" ? { status: 200, body: answer } : answer;
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(text);
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { RUNPOD_API_BASE_URL: url, RUNPOD_INVOKE_URL: `${url}/invoke/v2`, RUNPOD_API_KEY: KEY },
    arrivals,
    invoked: () =>
      arrivals.filter(({ path }) => !path.startsWith("/v2/")).map(({ method, path }) => `${method} ${path}`),
    changes: () => arrivals.filter(({ method }) => method !== "GET"),
    seen: (line) =>
      new Promise((resolve) => {
        const there = arrivals.some(({ method, path }) => `${method} ${path}`.startsWith(line));
        if (there) resolve();
        else waiting.push({ line, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers in turn, the last one for good. */
export function inTurn(...answers: readonly Answer[]): Route {
  return (_arrival, count) => answers[Math.min(count, answers.length) - 1] ?? null;
}

export function job(status: string, rest: Record<string, unknown> = {}): string {
  return JSON.stringify({ id: "j1", status, ...rest });
}

export const NOT_FOUND: Answer = { status: 404, body: '{"error":"not found"}' };
export const BAD_GATEWAY: Answer = {
  status: 502,
  body: "<html>502</html>",
  headers: { "content-type": "text/html" },
};

const ENDPOINT = {
  id: "ep_a",
  name: "img",
  type: "QUEUE",
  image: "acme/w:v3",
  requestUrls: { run: "https://api.runpod.ai/v2/ep_a/run" },
  gpu: {
    pools: ["AMPERE_48"],
    excludedTypes: [],
    count: 1,
    allowedCudaVersions: [],
    minCudaVersion: null,
  },
  workers: { min: 0, max: 5, idleTimeout: 5 },
  scaling: { type: "QUEUE_DELAY", queueDelay: 4 },
  dataCenterIds: [],
  networkVolumes: [],
  timeout: 600_000,
  flashboot: "FLASHBOOT",
  env: {},
  createdAt: "2026-08-01T00:00:00Z",
};

function fits(pattern: string, line: string): boolean {
  const wanted = pattern.split(/[ /]/);
  const given = line.split(/[ /]/);
  return wanted.length === given.length && wanted.every((part, i) => part === "*" || part === given[i]);
}
