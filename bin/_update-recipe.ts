import { arg } from "../lib/arg.ts";
import { digestOf } from "../lib/load/digest.ts";
import type { LoadedRecipe } from "../lib/load/loaded-recipe.ts";
import type { Ops } from "../lib/ops.ts";
import { defineRecipe, parseRecipeArgs, type Recipe } from "../lib/recipe.ts";
import type { Scope } from "../lib/scopes.ts";
import { assertReadBack } from "../lib/steps/assert-read-back.ts";
import { gpuTypes } from "../lib/steps/gpu-types.ts";
import { patch } from "../lib/steps/patch.ts";
import { readEndpoint } from "../lib/steps/read-endpoint.ts";
import { updateBody } from "./_update-body.ts";
import { checkUpdate } from "./_update-check.ts";
import { FIELD_OF, UPDATE_ARGS, type UpdateKey, type UpdateValues } from "./_update-flags.ts";

/** An update, ready to be planned like any recipe. */
export interface UpdateCall {
  readonly loaded: LoadedRecipe;
  /** What `planRecipe` is given. */
  readonly given: Readonly<Record<string, unknown>>;
}

export interface UpdateOptions {
  /** Reads the variables of `--env-file`. */
  readonly readEnv: (path: string) => Promise<Variables>;
}

/**
 * Makes the recipe that an update is: it takes the flags given, and may change the fields of these flags alone.
 *
 * @param given what was typed, keyed as `UPDATE_ARGS`
 * @throws usage_error - no flag is given, or what is given cannot be sent whatever the endpoint is like
 */
export async function updateCall(
  endpoint: string,
  given: Readonly<Record<string, unknown>>,
  options: UpdateOptions,
): Promise<UpdateCall> {
  const all = { endpoint, ...given };
  const values = valuesOf(parseRecipeArgs(updateRecipe(given, null), all));
  checkUpdate(values);
  const env = values.envFile === undefined ? null : await options.readEnv(values.envFile);
  const digest = digestOf(JSON.stringify(given)); // of what was asked: this recipe has no file of its own
  return { loaded: { recipe: updateRecipe(given, env), source: "built-in", digest }, given: all };
}

function updateRecipe(given: Readonly<Record<string, unknown>>, env: Variables | null): Recipe {
  const keys = Object.keys(given) as UpdateKey[];
  return defineRecipe({
    name: "update",
    summary: "Set fields of an endpoint",
    args: { endpoint: arg.endpoint(), ...Object.fromEntries(keys.map((key) => [key, UPDATE_ARGS[key]])) },
    mutates: [...new Set(keys.map((key): Scope => `patch:${FIELD_OF[key]}`))],
    run: (ops: Ops<Scope>, values) => update(ops, values.endpoint, { values: valuesOf(values), env }),
  });
}

function valuesOf({ endpoint: _, ...values }: Readonly<Record<string, unknown>>): UpdateValues {
  return values;
}

type Variables = Readonly<Record<string, string>>;

interface Asked {
  readonly values: UpdateValues;
  readonly env: Variables | null;
}

async function update(ops: Ops<Scope>, endpoint: string, { values, env }: Asked): Promise<void> {
  const before = await readEndpoint(ops, endpoint);
  const catalog = values.excludeGpus === undefined ? [] : await gpuTypes(ops);
  const body = updateBody(values, { before, catalog, env });
  const change = await patch(ops, before, body, { replaceEnv: values.envReplace ?? false });
  await assertReadBack(ops, change);
}
