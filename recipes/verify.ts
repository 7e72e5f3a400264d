import { arg, defineRecipe, run, waitFor } from "../lib/mod.ts";

export default defineRecipe({
  name: "verify",
  summary: "Submit one job, wait for it, and show what came back, from which worker, and how long it took",
  args: {
    endpoint: arg.endpoint(),
    input: arg.json("the job's input, a JSON object"),
    wait: arg.withDefault(arg.duration("how long to wait"), "5m"),
  },
  mutates: ["run"],
  example: `image-generator --input '{"prompt":"hi"}'`,
  async run(ops, { endpoint, input, wait }) {
    const job = await run(ops, endpoint, input);
    return await waitFor(ops, job, { budgetMs: wait });
  },
});
