import * as v from "valibot";
import { checkAs, jsonOf } from "./_parse.ts";
import { maskEnv } from "./json.ts";

/** One release of an endpoint: a version of its configuration (runpod-api.md 2.9). */
export interface Release {
  readonly id?: string;
  readonly version?: number | null;
  /** `MANUAL` or `GIT_BUILD`. */
  readonly source?: string | null;
  readonly buildId?: string | null;
  readonly createdByUserId?: string | null;
  /** Workers that run this version. */
  readonly workerCount?: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** What changed, by the service's own field names; values of `env` are masked. */
  readonly diff?: readonly { readonly field: string; readonly old?: unknown; readonly new?: unknown }[];
}

/** The releases of an endpoint, newest first, and how far the newest has come. */
export interface ReleaseList {
  readonly endpointVersion?: number | null;
  readonly rollout?: {
    /** True while any worker runs an older version. */
    readonly inProgress?: boolean;
    readonly workersOnLatest?: number;
    readonly workersTotal?: number;
    /** 0 where there are no workers. */
    readonly percentOnLatest?: number;
  };
  readonly releases: readonly Release[];
}

const WHAT = "list of releases";
const maybe = <T extends v.GenericSchema>(schema: T) => v.optional(v.nullable(schema));
const count = v.optional(v.number());

const releasesSchema = v.looseObject({
  endpointVersion: maybe(v.number()),
  rollout: v.optional(
    v.looseObject({
      inProgress: v.optional(v.boolean()),
      workersOnLatest: count,
      workersTotal: count,
      percentOnLatest: count,
    }),
  ),
  releases: v.array(
    v.looseObject({
      id: v.optional(v.string()),
      version: maybe(v.number()),
      source: maybe(v.string()),
      buildId: maybe(v.string()),
      createdByUserId: maybe(v.string()),
      workerCount: count,
      createdAt: v.string(),
      diff: v.optional(v.array(v.looseObject({ field: v.string() }))),
    }),
  ),
});

/** Reads the releases, newest first; values of `env` in their diffs are masked. @throws api_error - it is no such list */
export function parseReleases(text: string): ReleaseList {
  return checkAs(releasesSchema, maskEnv(jsonOf(text, WHAT)), WHAT) as ReleaseList;
}
