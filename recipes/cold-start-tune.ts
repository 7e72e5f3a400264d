import {
  arg,
  assertReadBack,
  defineRecipe,
  type Endpoint,
  patch,
  ReadbackError,
  readEndpoint,
} from "../lib/mod.ts";

export default defineRecipe({
  name: "cold-start-tune",
  summary: "Trade money for shorter cold starts: FlashBoot, a longer idle timeout, workers that always run",
  args: {
    endpoint: arg.endpoint(),
    flashboot: arg.optional(arg.flashBoot()),
    idleTimeout: arg.optional(
      arg.duration("how long a worker stays up after its last job, 1s to 1h; that time bills", {
        minMs: 1000,
        maxMs: 3_600_000,
        stepMs: 1000,
      }),
    ),
    workersMin: arg.optional(
      arg.alias(arg.integer({}, "workers that always run; they bill around the clock"), "minWorkers"),
    ),
  },
  needsOneOf: ["flashboot", "idleTimeout", "workersMin"],
  mutates: ["patch:flashboot", "patch:workers"],
  example: "image-generator --flashboot on --workers-min 1",
  async run(ops, { endpoint, flashboot, idleTimeout, workersMin }) {
    const before = await readEndpoint(ops, endpoint);
    if (idleTimeout !== undefined) assertHasIdleTimeout(before);
    const workers = {
      ...(workersMin === undefined ? {} : { min: workersMin }),
      ...(idleTimeout === undefined ? {} : { idleTimeout: idleTimeout / 1000 }),
    };
    const change = await patch(ops, before, {
      ...(Object.keys(workers).length === 0 ? {} : { workers }),
      ...(flashboot === undefined ? {} : { flashboot }),
    });
    await assertReadBack(ops, change);
  },
});

/** A queue endpoint on request count has no idle timeout, and the service refuses one (runpod-api.md 2.5, rule 7). */
function assertHasIdleTimeout({ name, id, type, scaling }: Endpoint): void {
  if (type === "LOAD_BALANCER" || scaling.type !== "REQUEST_COUNT") return;
  throw new ReadbackError(
    "usage_error",
    `Cannot set an idle timeout on ${name} (${id}): it is a queue endpoint that scales on REQUEST_COUNT, such an endpoint has no idle timeout, and the API refuses one; with QUEUE_DELAY it has one`,
    { followUp: `readback serverless update ${id} --scale-by delay --scale-threshold 4 --dry-run` },
  );
}
