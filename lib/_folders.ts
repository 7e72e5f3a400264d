import { ReadbackError } from "./errors.ts";
import type { Environment } from "./target.ts";

/** Where other Runpod tools keep the key. */
export const CONFIG_FILE = "~/.runpod/config.toml";

/**
 * The folder of the run history: `READBACK_HISTORY_DIR`, else `XDG_STATE_HOME/readback/runs`, else
 * `~/.local/state/readback/runs`.
 *
 * @throws usage_error when none of them can be told
 */
export function historyFolder(env: Environment): string {
  const own = env["READBACK_HISTORY_DIR"];
  if (own !== undefined && own !== "") return own;
  const state = env["XDG_STATE_HOME"];
  if (state !== undefined && isAbsolute(state)) return `${state}/readback/runs`;
  const home = homeFolder(env);
  if (home !== null) return `${home}/.local/state/readback/runs`;
  throw new ReadbackError("usage_error", "No home folder to keep the history in; set READBACK_HISTORY_DIR");
}

/**
 * The folder that relative paths start from: where the person stands. A package script runs in the package's folder,
 * and `INIT_CWD` says where it was called; a script that went elsewhere (`cd sub && readback …`) means that place.
 */
export function startFolder(env: Environment, cwd: string = process.cwd()): string {
  const called = env["INIT_CWD"];
  if (called === undefined || called === "" || env["npm_lifecycle_event"] === undefined) return cwd;
  const manifest = env["npm_package_json"];
  const inPackage = manifest === undefined || manifest.replace(/[\\/][^\\/]*$/, "") === cwd;
  return inPackage ? called : cwd;
}

/** The person's home folder, or null where nothing tells it. */
export function homeFolder(env: Environment): string | null {
  const given = [env["HOME"], env["USERPROFILE"]].find(isFilled);
  if (given !== undefined) return given;
  try {
    return process.getBuiltinModule("node:os").homedir();
  } catch {
    return null; // a user id without a passwd entry, or a permission not granted
  }
}

function isFilled(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== "";
}

function isAbsolute(path: string): boolean {
  return /^([\\/]|[A-Za-z]:[\\/])/.test(path);
}
