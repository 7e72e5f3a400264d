/** A request as it arrived. */
export interface RecordedRequest {
  /** From 1, in order of arrival. */
  readonly n: number;
  /** Sandbox time in milliseconds. */
  readonly at: number;
  readonly method: string;
  /** As sent, still percent-encoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly bytes: Uint8Array;
  /** The route it found, or null. */
  readonly route: string | null;
  /** The status of the answer; null while there is none, and where none was ever given. */
  status: number | null;
  /** Whether it changed the world. */
  applied: boolean;
}

/** Reads a request whole. */
export async function recordRequest(
  request: Request,
  options: { n: number; at: number; route: string | null },
): Promise<RecordedRequest> {
  const { pathname, search } = new URL(request.url);
  const bytes = new Uint8Array(await request.arrayBuffer());
  return {
    ...{ n: options.n, at: options.at, method: request.method, path: pathname, query: search.slice(1) },
    headers: Object.fromEntries(request.headers),
    body: new TextDecoder().decode(bytes),
    bytes,
    route: options.route,
    status: null,
    applied: false,
  };
}
