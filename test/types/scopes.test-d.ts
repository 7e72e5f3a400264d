// Compiled, never run: each @ts-expect-error fails the type check when the line below it compiles.
import type { Endpoint, EndpointPatch } from "../../lib/api/endpoint.ts";
import { arg } from "../../lib/arg.ts";
import type { Ops } from "../../lib/ops.ts";
import { defineRecipe } from "../../lib/recipe.ts";
import { patch } from "../../lib/steps/patch.ts";
import { readEndpoint } from "../../lib/steps/read-endpoint.ts";
import { restoring } from "../../lib/steps/restoring.ts";

const args = { endpoint: arg.endpoint(), max: arg.integer(), cuda: arg.optional(arg.cudaVersion()) };

async function bounce(ops: Ops<"patch:workers">, endpoint: Endpoint): Promise<void> {
  const stop = await patch(ops, endpoint, { workers: { max: 0 } });
  await restoring(ops, stop, { workers: { max: endpoint.workers.max } });
}

defineRecipe({
  name: "declared",
  summary: "What is declared compiles, by itself and through a helper",
  args,
  mutates: ["patch:workers", "patch:gpu"],
  async run(ops, { endpoint, max, cuda }) {
    const id: string = endpoint;
    const many: number = max;
    const version: string | undefined = cuda;
    const before = await readEndpoint(ops, id);
    await bounce(ops, before);
    await patch(ops, before, { workers: { max: many }, gpu: { minCudaVersion: version ?? "" } });
    // @ts-expect-error an integer is no text
    const text: string = max;
    return text;
  },
});

defineRecipe({
  name: "undeclared",
  summary: "What is not declared does not compile",
  args,
  mutates: ["patch:workers"],
  async run(ops, { endpoint }) {
    const before = await readEndpoint(ops, endpoint);
    // @ts-expect-error undeclared scope: patch:gpu
    await patch(ops, before, { gpu: { pools: ["ADA_24"] } });
    // @ts-expect-error undeclared scope beside a declared one
    await patch(ops, before, { workers: { max: 1 }, flashboot: "OFF" });
    const body = { workers: { max: 1 }, timeout: 1000 };
    // @ts-expect-error undeclared field through a variable
    await patch(ops, before, body);
    const typo = { workers: { max: 1 }, idleTimeout: 5 };
    // @ts-expect-error a field that no body has, through a variable
    await patch(ops, before, typo);
    const wide: EndpointPatch = { workers: { max: 1 } };
    // @ts-expect-error a body that may hold anything needs every scope
    await patch(ops, before, wide);
    const stop = await patch(ops, before, { workers: { max: 0 } });
    // @ts-expect-error putting back needs its scope too
    await restoring(ops, stop, { scaling: { type: "REQUEST_COUNT", requestCount: 1 } });
  },
});

defineRecipe({
  name: "helper",
  summary: "A helper that needs more than the recipe declares does not compile",
  args,
  mutates: ["patch:gpu"],
  async run(ops, { endpoint }) {
    // @ts-expect-error bounce needs patch:workers
    await bounce(ops, await readEndpoint(ops, endpoint));
  },
});

defineRecipe({
  name: "misspelt",
  summary: "A scope that does not exist does not compile",
  args,
  // @ts-expect-error there is no scope patch:worker
  mutates: ["patch:worker"],
  async run() {},
});

defineRecipe({
  name: "read-only",
  summary: "mutates: [] is read-only by type",
  args,
  mutates: [],
  async run(ops, { endpoint }) {
    const before = await readEndpoint(ops, endpoint);
    // @ts-expect-error a read-only recipe changes nothing
    await patch(ops, before, { workers: { max: 0 } });
    // @ts-expect-error nor does its helper
    await bounce(ops, before);
    // @ts-expect-error nested fields are checked where the body is written in place
    const nested: EndpointPatch = { workers: { maximum: 1 } };
    return nested;
  },
});
