import type { WorldTemplate } from "../data/templates.ts";
import { NOT_FOUND, type Problem } from "../reply.ts";
import type { World } from "../world.ts";

type Found =
  | { readonly template: WorldTemplate | null; readonly problem: null }
  | { readonly template: null; readonly problem: Problem };

/** The template of a body: unknown or someone else's is 404, not a serverless one 422 (runpod-api.md 2.5, rule 11). */
export function findTemplate(world: World, templateId: string | undefined): Found {
  if (templateId === undefined) return { template: null, problem: null };
  const template = world.templates.find(({ id, source }) => id === templateId && source !== "foreign");
  if (template === undefined) return { template: null, problem: NOT_FOUND };
  if (template.serverless) return { template, problem: null };
  return { template: null, problem: { status: 422, detail: "template is not a serverless template" } };
}
