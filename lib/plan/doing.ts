import type { Mutation } from "./mutation.ts";

/** What a change does, to continue "Cannot …" and "waiting before …". */
export function doing(mutation: Exclude<Mutation, { readonly kind: "shell" }>): string {
  const { kind, before, summary } = mutation;
  const endpoint = `${before.name} (${before.id})`;
  if (kind === "run") return `submit a job to ${endpoint}`;
  if (kind === "purge") return `purge the queue of ${endpoint}`;
  return `${summary.charAt(0).toLowerCase()}${summary.slice(1)} on ${endpoint}`;
}
