import type { EndpointPatch } from "../../api/endpoint.ts";
import { PATCH_BODY } from "../bodies.ts";
import { applyPatch, withTemplate } from "../patch/apply.ts";
import { readBody } from "../patch/body.ts";
import { storeChange } from "../patch/release.ts";
import { brokenRule } from "../patch/rules.ts";
import { findTemplate } from "../patch/template.ts";
import { NOT_FOUND, ok, type Reply, refuse } from "../reply.ts";
import type { RouteContext, SandboxRoute } from "../route.ts";
import { showEndpoint } from "../show-endpoint.ts";
import type { WorldEndpoint } from "../world.ts";

/** `PATCH /v2/serverless/{id}` (runpod-api.md 2.5). A refused body changes nothing at all. */
export const patchEndpoint: SandboxRoute = {
  name: "patchEndpoint",
  method: "PATCH",
  path: "/v2/serverless/{id}",
  answer(context) {
    const { world, params, show } = context;
    const before = world.endpoints.get(params["id"] ?? "");
    if (before === undefined && !show.rules.validatesBeforeLookup) return refuse(NOT_FOUND);
    const { body, problem } = readBody<EndpointPatch>(context.bodyText, PATCH_BODY);
    if (problem) return refuse(problem);
    return before === undefined ? refuse(NOT_FOUND) : patch(before, body, context);
  },
};

function patch(before: WorldEndpoint, sent: EndpointPatch, context: RouteContext): Reply {
  const { world, show } = context;
  const { rules } = show;
  if (Object.keys(sent).length === 0 && rules.emptyPatch !== 200) {
    return refuse({ status: rules.emptyPatch, detail: "the body changes nothing" });
  }
  const { template, problem } = findTemplate(world, sent.templateId);
  if (problem) return refuse(problem);
  const body = withTemplate(sent, template);
  const after = applyPatch(before, body, rules);
  const broken = brokenRule({ before, body, after }, world, rules);
  if (broken) return refuse(broken);
  return takeEffect(before, body, context);
}

function takeEffect(before: WorldEndpoint, body: EndpointPatch, context: RouteContext): Reply {
  const { world, show, twists, nowMs } = context;
  const { rules } = show;
  const stored = twists.also(applyPatch(before, twists.effective(body), rules), body);
  if (twists.stores) {
    if (twists.hides) {
      const { reads, ms } = twists.hides;
      world.hidden.set(before.id, { before, reads, untilMs: nowMs + ms });
    }
    if (storeChange(world, stored, { author: context.author, rules })) context.applied();
  }
  const isWhole = twists.effective(body) === body;
  return ok(showEndpoint(isWhole ? stored : applyPatch(before, body, rules), show));
}
