import { arg, cancel, defineRecipe } from "../lib/mod.ts";

export default defineRecipe({
  name: "cancel-job",
  summary: "Cancel one queued or running job, and prove it by a fresh status",
  args: { endpoint: arg.endpoint(), job: arg.job() },
  mutates: ["cancel"],
  example: "image-generator c165626f-2f0b-4a6e-9a0e-5d1f6f7c2b11-u1",
  run: async (ops, { endpoint, job }) => await cancel(ops, { endpoint, id: job }),
});
