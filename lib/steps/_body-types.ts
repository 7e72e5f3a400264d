import type { EndpointPatch, PatchField } from "../api/endpoint.ts";

/** The scopes that a body needs: one for each field it has, or may have. */
export type ScopesOf<B extends EndpointPatch> = `patch:${Extract<keyof B, PatchField>}`;

/** The body itself; a field that no PATCH body has makes it unusable, also when it comes in through a variable. */
export type KnownFieldsOnly<B extends EndpointPatch> = B & {
  readonly [K in Exclude<keyof B, PatchField>]: never;
};
