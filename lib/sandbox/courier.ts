import type { SandboxClock } from "./clock.ts";
import { delayMs, executionMs, type WorldJob } from "./fleet/job.ts";
import { JsonText, writeJson } from "./json-text.ts";

/** Brings a webhook to its address. @returns the status of the answer */
export type Deliver = (
  url: string,
  request: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
) => Promise<number>;

/** A webhook that was due. */
export interface RecordedWebhook {
  readonly jobId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Each try, with the status of its answer; null is none, or that nothing was sent. */
  readonly attempts: { readonly at: number; readonly status: number | null }[];
}

export interface Courier {
  readonly webhooks: readonly RecordedWebhook[];
  /** Null records only, and sends nothing. */
  deliver: Deliver | null;
  /** Tells the webhook of a job that it has ended; nothing for a job without one. */
  notify(job: WorldJob): void;
}

/** Spacing seen live; any 2xx is a success, two retries, then nothing more (runpod-api.md 3.8). */
const RETRIES_MS = [5000, 15_000];

/** Makes a courier that records every webhook. */
export function createCourier(clock: SandboxClock, deliver: Deliver | null): Courier {
  const webhooks: RecordedWebhook[] = [];
  const courier: Courier = { webhooks, deliver, notify };
  return courier;

  function notify(job: WorldJob): void {
    if (job.webhook === null) return;
    const webhook = { jobId: job.id, url: job.webhook, headers: HEADERS, body: bodyOf(job), attempts: [] };
    webhooks.push(webhook);
    void bring(webhook, RETRIES_MS);
  }

  async function bring(webhook: RecordedWebhook, [waitMs, ...rest]: readonly number[]): Promise<void> {
    const at = clock.now();
    const { url, headers, body, attempts } = webhook;
    if (courier.deliver === null) {
      attempts.push({ at, status: null });
      return;
    }
    const status = await courier.deliver(url, { headers, body }).catch(() => null);
    attempts.push({ at, status });
    const isTaken = status !== null && status >= 200 && status < 300;
    if (!isTaken && waitMs !== undefined) clock.at(at + waitMs, () => void bring(webhook, rest));
  }
}

const HEADERS = {
  "content-type": "application/json",
  "user-agent": "Go-http-client/2.0",
  traceparent: "00-5f2a1c9b7e3d4f6081a2b3c4d5e6f708-1a2b3c4d5e6f7081-01",
};

/** The whole job with its input and the webhook itself, keys in order (runpod-api.md 3.8). */
function bodyOf(job: WorldJob): string {
  return writeJson({
    ...(job.startedAtMs === null ? {} : { delayTime: delayMs(job) }),
    ...(job.error === null ? {} : { error: job.error }),
    ...(job.startedAtMs === null ? {} : { executionTime: executionMs(job) }),
    id: job.id,
    input: new JsonText(job.input),
    ...(job.output === null ? {} : { output: new JsonText(job.output) }),
    ...(job.retries > 0 ? { retries: job.retries } : {}),
    status: job.status,
    webhook: job.webhook,
  });
}
