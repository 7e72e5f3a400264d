import { arg, defineRecipe, purge } from "../lib/mod.ts";

export default defineRecipe({
  name: "purge-queue",
  summary: "Clear every pending job of an endpoint; running jobs go on",
  args: { endpoint: arg.endpoint() },
  mutates: ["purge"],
  example: "image-generator",
  run: async (ops, { endpoint }) => await purge(ops, endpoint),
});
