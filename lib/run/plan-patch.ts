import type { GpuType } from "../api/catalog.ts";
import { preparePatch } from "../api/control.ts";
import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import type { Health } from "../api/health.ts";
import { patchBodyProblems } from "../api/patch-schema.ts";
import { ReadbackError } from "../errors.ts";
import { completeBody } from "../plan/complete-body.ts";
import { type PatchMutation, patchMutation } from "../plan/mutation.ts";
import { serverProblems } from "../plan/server-problems.ts";
import type { PatchRequest } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import { frozen } from "./frozen.ts";
import { assertMayPatch } from "./grants.ts";
import { healthOrNull } from "./read-now.ts";

/** A planned patch, or null where the endpoint already reads as asked, and the read it rests on. */
export interface PlannedPatch {
  readonly before: Endpoint;
  readonly mutation: PatchMutation | null;
}

/** Makes the mutation that a patch is, with real reads and every check that can be made without sending it. */
export async function planPatch(request: PatchRequest, n: number, parts: EngineParts): Promise<PlannedPatch> {
  const { endpoint: id, body: asked } = request;
  assertMayPatch(parts.grants, id, asked);
  assertWellFormed(request);
  const before = await parts.view.current(id);
  const facts = await readFacts(before, asked, parts);
  const body = frozen(completeBody(before, asked, facts.catalog ?? [], request));
  assertAcceptable(request, before, body, facts.catalog);
  const mutation = patchMutation({
    ...facts,
    n,
    before,
    url: preparePatch(parts.target, id, body).url,
    body,
    namedEnv: Object.keys(asked.env ?? {}),
    restores: request.restores?.mutation?.n ?? null,
  });
  return { before, mutation: frozen(mutation) };
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
  readonly jobs: Health["jobs"] | null;
}

/** Reads what a preview must state. A GPU selection cannot be judged without the catalog; a price may stay unknown. */
async function readFacts(before: Endpoint, body: EndpointPatch, parts: EngineParts): Promise<Facts> {
  const { view, note } = parts;
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
  const stops = body.workers?.max === 0 && before.workers.max > 0;
  const jobs = stops ? ((await healthOrNull(view, parts.target, before.id))?.jobs ?? null) : null;
  return { catalog, otherWorkersMax, jobs };
}

async function orNull<T>(read: Promise<T>, what: string, note: (text: string) => void): Promise<T | null> {
  try {
    return await read;
  } catch (error) {
    note(`${what}: ${error instanceof Error ? error.message : String(error)}`);
    return null;
  }
}
