import { createLookClient } from "../../lib/api/client.ts";
import { systemClock } from "../../lib/clock.ts";
import { waitForJob } from "../../lib/wait/wait-for-job.ts";
import { targetAt } from "../api/_target.ts";

// A process of its own, so that its peak memory says something: waits for a small job, then for a big one.
const peakBytes = (): number => process.resourceUsage().maxRSS * 1024;
const client = createLookClient(targetAt(process.argv[2] ?? ""));
const signal = new AbortController().signal;
const parts = { client, clock: systemClock, endpoint: "ep1", budgetMs: 20_000, signal };
await waitForJob({ ...parts, job: "small" });
const idle = peakBytes();
const { text } = await waitForJob({ ...parts, job: "big" });
console.log(JSON.stringify({ length: text?.length, tail: text?.slice(-60), peakBytes: peakBytes() - idle }));
