import { PATCH_FIELDS, type PatchField } from "./api/endpoint.ts";

/** One kind of change. A recipe declares the scopes it needs in `mutates`; a step asks for its own. */
export type Scope = `patch:${PatchField}` | "run" | "cancel" | "retry" | "purge" | "shell";

/** All scopes there are. */
export const SCOPES: readonly Scope[] = [
  ...PATCH_FIELDS.map((field): Scope => `patch:${field}`),
  "run",
  "cancel",
  "retry",
  "purge",
  "shell",
];
