import type { EndpointPatch, EndpointType, Scaling } from "../../api/endpoint.ts";
import { BALANCER_SCALING, CREATE_BODY } from "../bodies.ts";
import { applyPatch, DEFAULT_IDLE_TIMEOUT_SECONDS, withTemplate } from "../patch/apply.ts";
import { readBody } from "../patch/body.ts";
import { addRelease, storeChange } from "../patch/release.ts";
import { brokenRule } from "../patch/rules.ts";
import { findTemplate } from "../patch/template.ts";
import { invalid, ok, type Problem, type Reply, refuse } from "../reply.ts";
import type { RouteContext, SandboxRoute } from "../route.ts";
import { violations } from "../schema.ts";
import { showEndpoint } from "../show-endpoint.ts";
import type { WorldEndpoint } from "../world.ts";

type CreateBody = EndpointPatch & { name: string; type: EndpointType; scaling: Scaling };

/** `POST /v2/serverless` (runpod-api.md 2.6). */
export const createEndpoint: SandboxRoute = {
  name: "createEndpoint",
  method: "POST",
  path: "/v2/serverless",
  answer(context) {
    const { body, problem } = readBody<CreateBody>(context.bodyText, CREATE_BODY);
    return problem ? refuse(problem) : create(body, context);
  },
};

function create(sent: CreateBody, context: RouteContext): Reply {
  const { world, show, author } = context;
  const shape = wrongShape(sent);
  if (shape) return refuse(shape);
  const { template, problem } = findTemplate(world, sent.templateId);
  if (problem) return refuse(problem);
  const { type, ...body } = withTemplate(sent, template);
  const before = blank(sent, context);
  const after = applyPatch(before, body, show.rules);
  const broken = brokenRule({ before, body, after }, world, show.rules);
  if (broken) return refuse(broken);
  storeChange(world, after, { author, rules: show.rules });
  addRelease(world, after, [], author);
  context.applied();
  return ok(showEndpoint(after, show), 201);
}

/** What the schema says about several fields together, and the one rule about the compute family. */
function wrongShape(body: CreateBody): Problem | null {
  if (body.image === undefined && body.templateId === undefined)
    return invalid(["$: missing property 'image'"]);
  if (body.type === "LOAD_BALANCER") {
    const errors = violations(BALANCER_SCALING, body.scaling, "$.scaling");
    if (errors.length > 0) return invalid(errors);
  }
  return (body.gpu === undefined) === (body.cpu === undefined)
    ? { status: 400, detail: "exactly one of gpu and cpu is required" }
    : null;
}

function blank(body: CreateBody, { world, show, author }: RouteContext): WorldEndpoint {
  return {
    ...{ id: world.newId(), name: body.name, type: body.type },
    ...{ image: "", args: "", disk: 20, ports: [], env: {}, registry: null },
    gpu: body.gpu
      ? { pools: [], excludedTypes: [], count: 1, allowedCudaVersions: [], minCudaVersion: null }
      : null,
    cpu: body.cpu ? [] : null,
    workers: { min: 0, max: 3, idleTimeout: DEFAULT_IDLE_TIMEOUT_SECONDS },
    scaling: body.scaling,
    ...{ dataCenterIds: [], networkVolumes: [] },
    timeout: show.rules.createTimeoutMs,
    flashboot: "OFF",
    createdAt: author.at,
    version: 1,
  };
}
