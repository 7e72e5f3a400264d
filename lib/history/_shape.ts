import { ReadbackError } from "../errors.ts";
import type { PlanRecord } from "./run-record.ts";

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A recorded plan with all that an undo relies on. @throws usage_error - it is none */
export function assertPlanRecord(value: unknown, where: string): PlanRecord {
  const mutations = isObject(value) ? value["mutations"] : null;
  const whole =
    isObject(value) &&
    value["schema"] === "readback/plan@1" &&
    typeof value["host"] === "string" &&
    isObject(value["recipe"]) &&
    isObject(value["args"]) &&
    Array.isArray(value["endpoints"]) &&
    Array.isArray(mutations) &&
    mutations.every(isMutationRecord);
  if (!whole) throw new ReadbackError("usage_error", `The plan in ${where} is no readback/plan@1`);
  return value as unknown as PlanRecord;
}

function isMutationRecord(value: unknown): boolean {
  return (
    isObject(value) &&
    typeof value["n"] === "number" &&
    (typeof value["endpoint"] === "string" || value["endpoint"] === null) &&
    Array.isArray(value["diff"]) &&
    isObject(value["undo"])
  );
}
