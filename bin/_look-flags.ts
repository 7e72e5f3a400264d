import type { ArgsDef } from "citty";
import { CONNECTION_FLAGS, JSON_FLAG } from "./_flags.ts";

/** Flags of a look that passes on what the service said. */
export const LOOK_FLAGS = {
  "show-secrets": { type: "boolean", description: "show the values of env instead of ***" },
  ...JSON_FLAG,
  ...CONNECTION_FLAGS,
} as const satisfies ArgsDef;
