import type { GpuType } from "../api/catalog.ts";
import { preparePatch } from "../api/control.ts";
import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import { patchBodyProblems } from "../api/patch-schema.ts";
import { ReadbackError } from "../errors.ts";
import { completeBody } from "../plan/complete-body.ts";
import { type Mutation, patchMutation } from "../plan/mutation.ts";
import { serverProblems } from "../plan/server-problems.ts";
import type { Target } from "../target.ts";
import type { Change } from "./change.ts";
import type { Engine, PatchRequest } from "./engine.ts";
import { frozen } from "./frozen.ts";
import { assertMayChange, type Grants } from "./grants.ts";
import type { Session } from "./session.ts";
import type { View } from "./view.ts";

export interface PlannerParts {
  readonly target: Target;
  readonly view: View;
  readonly session: Session;
  readonly grants: Grants;
  readonly note: (text: string) => void;
}

/** The engine of a dry run: real reads, recorded changes, and no way to send one. */
export function createPlanner(parts: PlannerParts): { engine: Engine; mutations: readonly Mutation[] } {
  const { view, session } = parts;
  const mutations: Mutation[] = [];
  const engine: Engine = {
    readEndpoint: (id) => session.step("readEndpoint", "look", () => view.endpoint(id)),
    gpuTypes: () => session.step("gpuTypes", "look", () => view.gpuTypes()),
    patch: (request) => session.step(request.step, "change", () => plan(request, parts, mutations)),
    // Every change of a plan is read back; this step says that the recipe rests on it.
    assertReadBack: (change) =>
      session.step("assertReadBack", "look", () => willBeVerified(change, mutations)),
  };
  return { engine, mutations };
}

async function plan(request: PatchRequest, parts: PlannerParts, mutations: Mutation[]): Promise<Change> {
  const { endpoint: id, body: asked } = request;
  assertMayChange(parts.grants, id, asked);
  assertWellFormed(request);
  const before = await parts.view.current(id);
  const facts = await readFacts(before, asked, parts);
  const body = frozen(completeBody(before, asked, facts.catalog ?? [], request));
  assertAcceptable(request, before, body, facts.catalog);
  const mutation = patchMutation({
    ...facts,
    n: mutations.length + 1,
    before,
    url: preparePatch(parts.target, id, body).url,
    body,
    namedEnv: Object.keys(asked.env ?? {}),
    restores: request.restores?.mutation?.n ?? null,
  });
  if (mutation === null) return { endpoint: id, before, mutation: null };
  mutations.push(frozen(mutation));
  parts.view.lay(id, body);
  return { endpoint: id, before, mutation };
}

function assertWellFormed({ step, endpoint, body }: PatchRequest): void {
  const problems = patchBodyProblems(body);
  if (problems.length > 0)
    throw new ReadbackError("usage_error", `Cannot ${step} endpoint "${endpoint}": ${problems.join("; ")}`);
}

function assertAcceptable(
  { step }: PatchRequest,
  before: Endpoint,
  body: EndpointPatch,
  catalog: readonly GpuType[] | null,
): void {
  const problems = serverProblems(before, body, catalog);
  if (problems.length > 0)
    throw new ReadbackError(
      "usage_error",
      `Cannot ${step} ${before.name} (${before.id}): ${problems.join("; ")}`,
    );
}

interface Facts {
  readonly catalog: readonly GpuType[] | null;
  readonly otherWorkersMax: number | null;
}

/** Reads what a preview must state. A GPU selection cannot be judged without the catalog; a price may stay unknown. */
async function readFacts(
  before: Endpoint,
  body: EndpointPatch,
  { view, note }: PlannerParts,
): Promise<Facts> {
  const selects = body.gpu !== undefined && before.gpu;
  const priced = before.gpu && (body.workers !== undefined || body.dataCenterIds !== undefined);
  const catalog = selects
    ? await view.gpuTypes()
    : priced
      ? await orNull(view.gpuTypes(), "prices and stock are not read", note)
      : null;
  const raises = (body.workers?.max ?? 0) > before.workers.max;
  const otherWorkersMax = raises
    ? await orNull(
        view.otherWorkersMax(before.id),
        "the sum of workers.max over all endpoints is not read",
        note,
      )
    : null;
  return { catalog, otherWorkersMax };
}

async function orNull<T>(read: Promise<T>, what: string, note: (text: string) => void): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    note(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}

async function willBeVerified(change: Change, mutations: readonly Mutation[]): Promise<void> {
  if (change.mutation !== null && !mutations.includes(change.mutation))
    throw new ReadbackError("recipe_error", "assertReadBack was given a change that is not of this run");
}
