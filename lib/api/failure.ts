import { mask } from "./mask.ts";

/**
 * Why there is no reply. `not_sent`: no connection was made, so nothing can have arrived. `timeout`, `interrupted` and
 * `lost` may have arrived; whatever cannot be told apart is `lost`.
 */
export type FailureKind = "not_sent" | "timeout" | "interrupted" | "lost";

export interface Failure {
  readonly kind: FailureKind;
  /** One clause for a message, without any key. */
  readonly reason: string;
  /** False where the same request would fail in the same way: a certificate, a permission. */
  readonly transient: boolean;
  /** The runtime's own words, masked; never its error, which may hold the request's headers. */
  readonly cause: Error;
}

/** Codes of Node and Bun for a connection that never came about. */
const NOT_CONNECTED: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "host name not found",
  EAI_AGAIN: "host name not found for the moment",
  UND_ERR_CONNECT_TIMEOUT: "no connection within the runtime's own limit",
};

/** These end open connections too; they say "not sent" only where the failing call was the connect. */
const NOT_CONNECTED_AT_CONNECT: Readonly<Record<string, string>> = {
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  ETIMEDOUT: "no connection within the system's limit",
};

/** Codes of a TLS handshake that was refused on this side: the request was not written. */
const CERTIFICATE = /^(CERT_|ERR_TLS_CERT|DEPTH_ZERO_SELF|SELF_SIGNED|UNABLE_TO_(GET|VERIFY))/;

/** Says what became of a request whose runtime threw. */
export function classify(thrown: unknown, keys: readonly string[]): Failure {
  const chain = causes(thrown);
  const text = mask(chain.map((error) => error.message).join(": "), keys);
  const codes = chain.flatMap(codesOf);
  const reason = chain.map(notConnectedReason).find((found) => found !== null);
  const make = (kind: FailureKind, clause: string, transient = true): Failure => ({
    kind,
    reason: clause,
    transient,
    cause: new Error(text),
  });
  if (chain.some((error) => error.name === "NotCapable")) return make("not_sent", shorten(text), false);
  if (codes.some((code) => CERTIFICATE.test(code)) || /client error \(Connect\).*certificate/i.test(text)) {
    return make("not_sent", "the certificate of the host was not accepted", false);
  }
  if (reason !== undefined && reason !== null) return make("not_sent", reason);
  // Deno gives no codes: this is how its HTTP library says that connecting failed.
  if (text.includes("client error (Connect)")) return make("not_sent", denoConnectReason(text));
  return make("lost", lostReason(codes, text));
}

function denoConnectReason(text: string): string {
  if (/dns error/i.test(text)) return "host name not found";
  if (/connection refused/i.test(text)) return "connection refused";
  return "no connection could be made";
}

function lostReason(codes: readonly string[], text: string): string {
  const closed = /connection closed|other side closed|closed unexpectedly|terminated|reading a body/i.test(
    text,
  );
  if (codes.includes("ECONNRESET") || /reset by peer/i.test(text) || closed) {
    return "the connection closed before the reply was complete";
  }
  return `the connection failed (${shorten(text)})`;
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 160 ? `${line.slice(0, 160)}…` : line;
}

/** The error and its causes, without ofetch's wrapper, whose text repeats method and address. */
function causes(thrown: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = thrown; at instanceof Error && chain.length < 6; at = at.cause) {
    if (at.name !== "FetchError") chain.push(at);
  }
  return chain.length > 0 ? chain : [new Error(String(thrown))];
}

function codesOf(error: Error): string[] {
  return "code" in error && typeof error.code === "string" ? [error.code] : [];
}

function notConnectedReason(error: Error): string | null {
  // Node throws this for one connect attempt per address, when all have failed.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(notConnectedReason).find((reason) => reason !== null) ?? null;
  }
  const code = codesOf(error)[0] ?? "";
  const atConnect = "syscall" in error && error.syscall === "connect";
  return NOT_CONNECTED[code] ?? (atConnect ? (NOT_CONNECTED_AT_CONNECT[code] ?? null) : null);
}
