import { mask } from "../lib/api/mask.ts";
import { environment } from "../lib/config.ts";
import { exitStatus, ReadbackError } from "../lib/errors.ts";
import { reportError } from "./_report.ts";

/** Tells on stderr what was thrown, without any key. @returns the exit status */
export async function tellError(thrown: unknown, options: { readonly json: boolean }): Promise<number> {
  const env = environment();
  const error = asReadbackError(thrown);
  await reportError(withoutKeys(error, env), { json: options.json, env });
  return exitStatus(error.code);
}

/** What is thrown and is not ours comes from a recipe, or is a fault of Readback: its text says which. */
function asReadbackError(thrown: unknown): ReadbackError {
  if (thrown instanceof ReadbackError) return thrown;
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new ReadbackError("recipe_error", `Unexpected failure: ${text}`, { cause: thrown });
}

/** A key can stand in what the person typed, and so in a message. */
function withoutKeys(error: ReadbackError, env: Readonly<Record<string, string | undefined>>): ReadbackError {
  const keys = [env["RUNPOD_API_KEY"], env["RUNPOD_READ_ONLY_API_KEY"]].flatMap(
    (key) => key?.split(/\s+/) ?? [],
  );
  const clean = (text: string): string => mask(text, keys);
  return new ReadbackError(error.code, clean(error.message), {
    retryable: error.retryable,
    status: error.status,
    followUp: error.followUp === null ? null : clean(error.followUp),
    details: JSON.parse(clean(JSON.stringify(error.details))),
  });
}
