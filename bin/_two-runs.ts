import { ReadbackError } from "../lib/errors.ts";
import { shellLine } from "./_quote.ts";
import { isBuiltIn } from "./_recipes.ts";

const JOB_FLAGS = /^--(input|input-file|body-file|no-wait|webhook|ttl|execution-timeout)(=|$)/;

/**
 * Refuses a job's input that was given to `readback run`, and names both commands.
 *
 * @throws usage_error
 */
export function assertRecipeMeant(word: string, argv: readonly string[]): void {
  if (isBuiltIn(word) || /[\\/]|\.(ts|mts|js|mjs)$/.test(word)) return;
  if (!argv.some((one) => JOB_FLAGS.test(one))) return;
  const job = shellLine(["readback", "serverless", "run", word, ...argv]);
  throw meant(
    `There is no recipe ${JSON.stringify(word)}, and a job is submitted by: ${job}; a recipe is run by: readback run <recipe>`,
    job,
  );
}

/** Refuses a recipe's name that was given to `readback serverless run`, and names both commands. @throws usage_error */
export function assertEndpointMeant(word: string, argv: readonly string[]): void {
  if (!isBuiltIn(word)) return;
  const recipe = shellLine(["readback", "run", word, ...argv]);
  throw meant(
    `${JSON.stringify(word)} is a recipe, which is run by: ${recipe}; a job is submitted by: readback serverless run <endpoint> --input JSON`,
    recipe,
  );
}

function meant(text: string, followUp: string): ReadbackError {
  return new ReadbackError("usage_error", text, { followUp });
}
