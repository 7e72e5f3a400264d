import { defineCommand } from "../_command.ts";

/** One default per command under it; `sls` is the same. */
export default defineCommand({
  meta: {
    name: "serverless",
    description: "single commands on Serverless endpoints: list, get, workers, releases, logs, update",
  },
  subCommands: {
    list: () => import("./serverless-list.ts").then((module) => module.default),
    get: () => import("./serverless-get.ts").then((module) => module.default),
    workers: () => import("./serverless-workers.ts").then((module) => module.default),
    releases: () => import("./serverless-releases.ts").then((module) => module.default),
    logs: () => import("./serverless-logs.ts").then((module) => module.default),
    update: () => import("./serverless-update.ts").then((module) => module.default),
  },
});
