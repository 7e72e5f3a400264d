import type { Fault } from "./faults.ts";
import type { Answer, Outcome } from "./outcome.ts";
import type { Plane } from "./plane.ts";
import { type Reply, refuse } from "./reply.ts";

/** What a fault in front of the service makes of a request, without any effect; null when it gets through. */
export function edgeOutcome(fault: Fault, plane: Plane): Outcome | Reply | null {
  switch (fault.kind) {
    case "reset":
    case "hang":
      return { kind: fault.kind };
    case "edge-html":
      return { kind: "answer", answer: edgePage(fault.status) };
    case "rate-limit":
      return plane.limited(fault.window, fault.retryAfter);
    case "status":
      return fault.body === undefined && fault.contentType === undefined && fault.status >= 400
        ? refuse({ status: fault.status, detail: `sandbox fault: ${fault.status}` }, fault.headers)
        : { kind: "answer", answer: plainAnswer(fault) };
    default:
      return null;
  }
}

/** A page as a content delivery network gives it: no request id, no rate headers, no JSON. */
export function edgePage(status: number): Answer {
  const title = {
    403: "Access denied",
    429: "Too many requests",
    502: "Bad gateway",
    524: "A timeout occurred",
  }[status];
  const text = `<!DOCTYPE html>\n<html><head><title>${title} | Error ${status}</title></head><body><h1>Error ${status}</h1><p>${title}</p></body></html>\n`;
  return { status, headers: { "content-type": "text/html; charset=UTF-8", server: "cloudflare" }, text };
}

function plainAnswer(fault: Extract<Fault, { kind: "status" }>): Answer {
  const { status, body, headers, contentType } = fault;
  const isText = typeof body === "string";
  const text = body === undefined ? "" : isText ? body : JSON.stringify(body);
  const type = contentType ?? (isText ? "text/plain; charset=utf-8" : "application/json");
  return { status, headers: { ...(text === "" ? {} : { "content-type": type }), ...headers }, text };
}
