import type { EndpointPatch } from "../api/endpoint.ts";
import { fieldsOf } from "./fields.ts";

/** The paths that a body writes, as reads name them. `pools` writes the exclusions too; `templateId` is in no read. */
export function targetPaths(body: EndpointPatch): readonly string[] {
  const paths = [...fieldsOf(body).keys()].filter((path) => path !== "templateId");
  const empty = body.env && Object.keys(body.env).length === 0 ? ["env"] : [];
  const cleared = body.gpu?.pools && !body.gpu.excludedTypes ? ["gpu.excludedTypes"] : [];
  return [...paths, ...empty, ...cleared];
}

/** True when a path is one of the given ones or lies below one. */
export function isWithin(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(`${root}.`));
}

/**
 * The fields that a body's meaning rests on, besides those it writes: when one of them moved since the plan, the
 * change is another change than the one that was shown.
 */
export function dependencies(body: EndpointPatch): readonly string[] {
  return [
    ...(body.gpu ? ["type", "cpu", "dataCenterIds"] : []),
    ...(body.workers?.idleTimeout === undefined ? [] : ["type", "scaling.type"]),
    ...(body.scaling ? ["type", "workers.idleTimeout"] : []),
    ...(body.env || body.templateId !== undefined ? ["env"] : []),
  ];
}

/** The paths that a body writes as whole roots: writing `scaling` or `env` writes all below it. */
export function writtenRoots(body: EndpointPatch): readonly string[] {
  const whole = (["scaling", "env", "cpu"] as const).filter((key) => body[key] !== undefined);
  return [...targetPaths(body), ...whole];
}
