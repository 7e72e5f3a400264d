import { arg, defineRecipe, diagnose } from "../lib/mod.ts";

export default defineRecipe({
  name: "diagnose",
  summary: "Say why an endpoint is slow, stuck or failing, by reads alone; submits no job",
  args: {
    endpoint: arg.endpointToRead(),
    job: arg.optional(arg.job("id of a job to explain")),
    symptom: arg.optional(
      arg.choice(["queue", "crash", "cold-start", "load-balancer"], "what seems wrong: it widens the reads"),
    ),
  },
  mutates: [],
  example: "image-generator --symptom queue",
  run: async (ops, { endpoint, job, symptom }) => await diagnose(ops, endpoint, { job, symptom }),
});
