#!/usr/bin/env node
import { defineCommand } from "./_command.ts";
import { run } from "./_run.ts";
import serverless from "./commands/serverless.ts";

const main = defineCommand({
  meta: { name: "readback", description: "Runbooks as code for Runpod Serverless endpoints" },
  subCommands: {
    recipes: () => import("./commands/recipes.ts").then((module) => module.default),
    run: () => import("./commands/run.ts").then((module) => module.default),
    diagnose: () => import("./commands/diagnose.ts").then((module) => module.default),
    undo: () => import("./commands/undo.ts").then((module) => module.default),
    history: () => import("./commands/history.ts").then((module) => module.default),
    serverless,
    sls: serverless,
    gpus: () => import("./commands/gpus.ts").then((module) => module.default),
    sandbox: () => import("./commands/sandbox.ts").then((module) => module.default),
    init: () => import("./commands/init.ts").then((module) => module.default),
    completions: () => import("./commands/completions.ts").then((module) => module.default),
    doctor: () => import("./commands/doctor.ts").then((module) => module.default),
  },
});

// No top-level await: under one, Bun and Deno do not end when nothing is left to do, and so cannot say that.
void run(main, process.argv.slice(2));
