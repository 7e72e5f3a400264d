import { PATCH_FIELDS } from "../api/endpoint.ts";
import { ReadbackError } from "../errors.ts";
import type { Scope } from "../scopes.ts";

/** What a run may change: the scopes its recipe declares, on the endpoints the person named. */
export interface Grants {
  readonly recipe: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Ids of the endpoints that came in through `arg.endpoint()` or `arg.endpoints()`. */
  readonly named: ReadonlySet<string>;
}

/**
 * Refuses a change of settings that the recipe does not declare, or of an endpoint that nobody named. The types refuse
 * the first too, but Bun, Deno and Node run TypeScript unchecked.
 *
 * @throws undeclared_mutation, endpoint_not_named
 */
export function assertMayPatch(grants: Grants, endpoint: string, body: object): void {
  const fields = Object.keys(body ?? {}).filter((key) => (PATCH_FIELDS as readonly string[]).includes(key));
  assertGranted(
    grants,
    endpoint,
    fields.map((field) => `patch:${field}` as Scope),
  );
}

/** Refuses a change of jobs in the same way. @throws undeclared_mutation, endpoint_not_named */
export function assertMayAct(grants: Grants, scope: Scope, endpoint: string): void {
  assertGranted(grants, endpoint, [scope]);
}

function assertGranted(grants: Grants, endpoint: string, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !grants.scopes.has(scope));
  if (missing.length > 0)
    throw new ReadbackError("undeclared_mutation", undeclared(grants, endpoint, missing), {
      details: { endpoint, undeclared: missing },
    });
  if (!grants.named.has(endpoint)) throw notNamed(grants, endpoint);
}

/** Refuses a shell command that changes something, where the recipe declares none. @throws undeclared_mutation */
export function assertMayShell(grants: Grants, command: string): void {
  if (grants.scopes.has("shell")) return;
  throw new ReadbackError(
    "undeclared_mutation",
    `Refused before anything was run: recipe ${grants.recipe} would run ${command}, but declares ${declaredText(grants)}`,
    { details: { undeclared: ["shell"] } },
  );
}

function notNamed({ recipe }: Grants, endpoint: string): ReadbackError {
  return new ReadbackError(
    "endpoint_not_named",
    `Refused before anything was sent: recipe ${recipe} would change endpoint "${endpoint}", which was not named on the command line`,
    { details: { endpoint } },
  );
}

function undeclared(grants: Grants, endpoint: string, missing: readonly Scope[]): string {
  const declared = declaredText(grants);
  return `Refused before anything was sent: recipe ${grants.recipe} would change "${endpoint}" by ${missing.join(", ")}, but declares ${declared}`;
}

function declaredText({ scopes }: Grants): string {
  return scopes.size === 0 ? "nothing (it is read-only)" : [...scopes].join(", ");
}
