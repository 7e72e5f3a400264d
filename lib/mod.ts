// The public API of Readback, and its only barrel.
export type { Availability, GpuType } from "./api/catalog.ts";
export type { Endpoint, EndpointPatch, GpuPatch, Scaling } from "./api/endpoint.ts";
export { type Arg, arg } from "./arg.ts";
export { type ErrorCode, errorDocument, exitStatus, isReadbackError, ReadbackError } from "./errors.ts";
export type { Ops } from "./ops.ts";
export { allowedTypes, type PinOptions, pinTo } from "./plan/gpu-selection.ts";
export { defineRecipe, type Recipe } from "./recipe.ts";
export type { Change } from "./run/change.ts";
export { isPredicted } from "./run/predicted.ts";
export { SCOPES, type Scope } from "./scopes.ts";
export { assertReadBack } from "./steps/assert-read-back.ts";
export { gpuTypes } from "./steps/gpu-types.ts";
export { type PatchOptions, patch } from "./steps/patch.ts";
export { readEndpoint } from "./steps/read-endpoint.ts";
export { restoring } from "./steps/restoring.ts";
