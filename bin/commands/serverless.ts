import { defineCommand } from "../_command.ts";

/** One default per command under it; `sls` is the same. */
export default defineCommand({
  meta: { name: "serverless", description: "single commands on Serverless endpoints: list, get, update" },
  subCommands: {
    list: () => import("./serverless-list.ts").then((module) => module.default),
    get: () => import("./serverless-get.ts").then((module) => module.default),
    update: () => import("./serverless-update.ts").then((module) => module.default),
  },
});
