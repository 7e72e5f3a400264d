#!/usr/bin/env node
import { defineCommand } from "citty";
import { run } from "./_run.ts";

const serverless = () => import("./commands/serverless.ts").then((module) => module.default);

const main = defineCommand({
  meta: { name: "readback", description: "Runbooks as code for Runpod Serverless endpoints" },
  subCommands: {
    recipes: () => import("./commands/recipes.ts").then((module) => module.default),
    run: () => import("./commands/run.ts").then((module) => module.default),
    undo: () => import("./commands/undo.ts").then((module) => module.default),
    history: () => import("./commands/history.ts").then((module) => module.default),
    serverless,
    sls: serverless,
    sandbox: () => import("./commands/sandbox.ts").then((module) => module.default),
    doctor: () => import("./commands/doctor.ts").then((module) => module.default),
  },
});

await run(main, process.argv.slice(2));
