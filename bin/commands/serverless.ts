import { defineCommand } from "../_command.ts";

/** One default per command under it; `sls` is the same. */
export default defineCommand({
  meta: {
    name: "serverless",
    description: "single looks at Serverless endpoints and their jobs, and single changes of them",
  },
  subCommands: {
    list: () => import("./serverless-list.ts").then((module) => module.default),
    get: () => import("./serverless-get.ts").then((module) => module.default),
    workers: () => import("./serverless-workers.ts").then((module) => module.default),
    releases: () => import("./serverless-releases.ts").then((module) => module.default),
    logs: () => import("./serverless-logs.ts").then((module) => module.default),
    update: () => import("./serverless-update.ts").then((module) => module.default),
    health: () => import("./serverless-health.ts").then((module) => module.default),
    run: () => import("./serverless-run.ts").then((module) => module.default),
    cancel: () => import("./serverless-cancel.ts").then((module) => module.default),
    purge: () => import("./serverless-purge.ts").then((module) => module.default),
    retry: () => import("./serverless-retry.ts").then((module) => module.default),
    stream: () => import("./serverless-stream.ts").then((module) => module.default),
    status: () => import("./serverless-status.ts").then((module) => module.default),
  },
});
