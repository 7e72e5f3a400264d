import type { Recipe } from "../recipe.ts";

/** A recipe together with where it came from, for the plan and the history. */
export interface LoadedRecipe {
  readonly recipe: Recipe;
  /** `built-in`, or the path as the person gave it. */
  readonly source: string;
  /** `sha256:…` of the recipe file's bytes. */
  readonly digest: string;
}

/** The recipes that come with Readback: how to import each, and where its file is. Nothing is loaded before it is asked for. */
export type BuiltInRecipes = Readonly<Record<string, BuiltInRecipe>>;

export interface BuiltInRecipe {
  readonly load: () => Promise<{ readonly default: unknown }>;
  readonly url: URL;
}
