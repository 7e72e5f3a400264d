import {
  arg,
  defineRecipe,
  health,
  patch,
  ReadbackError,
  readEndpoint,
  restoring,
  waitFor,
} from "../lib/mod.ts";

export default defineRecipe({
  name: "bounce-workers",
  summary: "Replace all workers: workers.max to 0, wait until none remain, then back. An outage meanwhile",
  args: {
    endpoint: arg.endpoint(),
    wait: arg.withDefault(arg.duration("how long to wait for the workers to end"), "10m"),
    allowLoadBalancer: arg.flag("bounce a load balancer endpoint too: its requests fail meanwhile"),
  },
  mutates: ["patch:workers"],
  example: "image-generator",
  async run(ops, { endpoint, wait, allowLoadBalancer }) {
    const before = await readEndpoint(ops, endpoint);
    if (before.type === "LOAD_BALANCER" && !allowLoadBalancer)
      throw new ReadbackError(
        "usage_error",
        `Cannot bounce ${before.name} (${before.id}): it is a load balancer endpoint, whose requests would fail meanwhile; --allow-load-balancer does it`,
      );
    const { min, max } = before.workers;
    const busy = await health(ops, endpoint);
    ops.note(
      `outage until the workers are back: ${busy.jobs.inProgress ?? "an unknown number of"} jobs in progress, ${busy.jobs.inQueue ?? "an unknown number of"} in queue`,
    );
    const bounds = min > 0 ? { min: 0, max: 0 } : { max: 0 };
    const stop = await patch(ops, before, { workers: bounds });
    await waitFor(
      ops,
      { for: `no workers of ${before.name} to remain`, read: () => health(ops, endpoint), until: noWorkers },
      { budgetMs: wait },
    );
    await restoring(ops, stop, { workers: min > 0 ? { min, max } : { max } });
  },
});

/** FlashBoot-parked workers count as ready and are gone too once the maximum is 0 (runpod-api.md 4.1). */
function noWorkers({ workers }: { workers: Readonly<Record<string, number | undefined>> }): boolean {
  return Object.values(workers).every((count) => (count ?? 0) === 0);
}
