import {
  arg,
  defineRecipe,
  type Health,
  health,
  type Ops,
  patch,
  ReadbackError,
  readEndpoint,
  restoring,
  type WorkerList,
  waitFor,
  workers,
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
    const stop = await patch(ops, before, { workers: min > 0 ? { min: 0, max: 0 } : { max: 0 } });
    await waitFor(
      ops,
      { for: `all workers of ${before.name} to end`, read: () => look(ops, endpoint), until: noneLeft },
      { budgetMs: wait },
    );
    await restoring(ops, stop, { workers: min > 0 ? { min, max } : { max } });
  },
});

interface Look {
  readonly list: WorkerList;
  /** Null where health cannot be read: it decides nothing alone. */
  readonly counts: Health["workers"] | null;
}

async function look(ops: Ops, endpoint: string): Promise<Look> {
  const list = await workers(ops, endpoint);
  const counts = await health(ops, endpoint).then(
    (read) => read.workers,
    () => null,
  );
  return { list, counts };
}

/** What has a machine. A throttled record has none, and one can linger on an idle endpoint (runpod-api.md 3.9, 6). */
const HAVE_A_MACHINE = ["running", "idle", "ready", "initializing", "unhealthy"] as const;

/**
 * The two reads may disagree, and health also counts FlashBoot-parked workers (runpod-api.md 4.1), which would come back
 * as they are: both must be without workers. A count that health leaves out is not known, and the list decides.
 */
function noneLeft({ list, counts }: Look): boolean {
  const listed = list.workers.some(({ status }) => status !== "THROTTLED");
  return !listed && HAVE_A_MACHINE.every((state) => (counts?.[state] ?? 0) === 0);
}
