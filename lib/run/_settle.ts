import type { Clock } from "../clock.ts";
import type { Read } from "../diagnose/reads.ts";
import { isReadbackError } from "../errors.ts";

/** Makes a read whose failure is a value. @throws interrupted, and what is none of ours */
export async function settle<T>(make: () => Promise<T>, clock: Clock): Promise<Read<T>> {
  try {
    const value = await make();
    return { ok: true, at: new Date(clock.now()).toISOString(), value };
  } catch (error) {
    if (!isReadbackError(error) || error.code === "interrupted") throw error;
    const { status, code, message } = error;
    return { ok: false, at: new Date(clock.now()).toISOString(), status, code, error: message };
  }
}
