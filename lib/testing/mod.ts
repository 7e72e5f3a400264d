// The public API for testing recipes: `readback/testing`.
export type { Mutation, PatchMutation } from "../plan/mutation.ts";
export type { Plan } from "../plan/plan.ts";
export type { AppliedMutation, RunResult } from "../plan/result.ts";
export { type Bench, type BenchArgs, createBench } from "./bench.ts";
