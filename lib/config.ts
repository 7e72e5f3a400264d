import { CONFIG_FILE, homeFolder } from "./_folders.ts";
import type { KeyFile } from "./_key-file.ts";
import { assertNoProxy } from "./_proxy.ts";
import { assertHosts, type BaseUrl, DEFAULT_URLS, parseBaseUrl } from "./api/hosts.ts";
import { assertKey } from "./api/key.ts";
import type { Plane } from "./api/routes.ts";
import { ReadbackError } from "./errors.ts";
import type { Environment, Target } from "./target.ts";

export { historyFolder, startFolder } from "./_folders.ts";
export { keyFingerprint } from "./api/key.ts";
export type { Environment, Target } from "./target.ts";

export interface LoadTargetOptions {
  /** @default environment() */
  readonly env?: Environment;
  /** Hosts, `name` or `name:port`, that may be sent the key over https. */
  readonly allowHosts?: readonly string[];
  /** Milliseconds. @default 30000 */
  readonly timeoutMs?: number;
  /** False where a command can do without. @default true */
  readonly requireKey?: boolean;
  /** Look for the file that Bun may have taken the key from. @default false */
  readonly traceKey?: boolean;
}

const READ_KEY = "RUNPOD_READ_ONLY_API_KEY";

/** The two spellings of each plane's address in the ecosystem (runpod-api.md 1.3). */
const URL_VARIABLES: Readonly<Record<Plane, readonly string[]>> = {
  control: ["RUNPOD_API_BASE_URL", "RUNPOD_REST_V2_URL"],
  invoke: ["RUNPOD_INVOKE_URL", "RUNPOD_SERVERLESS_API_URL"],
};

/** Every variable Readback looks at: what is read where a runtime grants names and not the whole environment. */
const VARIABLES = [
  ...["RUNPOD_API_KEY", READ_KEY, ...URL_VARIABLES.control, ...URL_VARIABLES.invoke],
  ...["HOME", "USERPROFILE", "XDG_STATE_HOME", "READBACK_HISTORY_DIR", "USER", "USERNAME", "LOGNAME"],
  ...["INIT_CWD", "npm_lifecycle_event", "npm_package_json", "NO_COLOR", "FORCE_COLOR", "CI", "TERM"],
  ...["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY", "NODE_USE_ENV_PROXY"],
];

/**
 * Finds the key and the two base URLs. Environment wins over `~/.runpod/config.toml`, which is opened only when
 * `RUNPOD_API_KEY` is not set and whose addresses count only together with its key.
 *
 * @throws no_credentials when a key is required and there is none, or it cannot be sent in a header
 * @throws usage_error when a base URL is unusable, the variables of one plane disagree, or real and other hosts mix,
 * or a proxy would carry loopback requests away
 */
export async function loadTarget(options: LoadTargetOptions = {}): Promise<Target> {
  const env = options.env ?? environment();
  const envKey = setting(env, "RUNPOD_API_KEY");
  const readKey = setting(env, READ_KEY);
  const needed = (options.requireKey ?? true) && readKey === undefined;
  const file = envKey === undefined ? await keyFile(env, needed) : {};
  const key = envKey ?? file.key ?? "";
  const control = baseUrl("control", env, file);
  const invoke = baseUrl("invoke", env, file);
  assertHosts(control, invoke, options.allowHosts ?? []);
  assertNoProxy(env, [control.url, invoke.url]);
  const keySource = (options.traceKey ? await dotEnvSource(envKey) : null) ?? sourceOf(envKey, file, readKey);
  if (key !== "") assertKey(key, keySource);
  if (readKey !== undefined) assertKey(readKey, READ_KEY);
  if (needed && key === "") throw noKey();
  return {
    controlUrl: control.url,
    invokeUrl: invoke.url,
    host: new URL(control.url).host,
    key,
    readKey: readKey ?? key,
    keySource,
    timeoutMs: options.timeoutMs ?? 30_000,
  };
}

/** The environment of the process, as far as the runtime lets us see it; read when called, never at import. */
export function environment(): Record<string, string | undefined> {
  try {
    return { ...process.env };
  } catch {
    return Object.fromEntries(VARIABLES.map((name) => [name, readVariable(name)]));
  }
}

async function keyFile(env: Environment, needed: boolean): Promise<KeyFile> {
  const { readKeyFile } = await import("./_key-file.ts");
  try {
    return await readKeyFile(homeFolder(env));
  } catch (error) {
    if (needed) throw error;
    return {};
  }
}

function baseUrl(plane: Plane, env: Environment, file: KeyFile): BaseUrl {
  const given = URL_VARIABLES[plane].flatMap((name) => {
    const value = setting(env, name);
    return value === undefined ? [] : [parseBaseUrl(plane, value, name)];
  });
  const [first, second] = given;
  if (first !== undefined && second !== undefined && first.url !== second.url) {
    const text = `${first.source} (${first.url}) and ${second.source} (${second.url}) disagree; unset one of them`;
    throw new ReadbackError("usage_error", text);
  }
  if (first !== undefined) return first;
  const fromFile = file.urls?.[plane];
  if (fromFile !== undefined) return parseBaseUrl(plane, fromFile, CONFIG_FILE);
  return { plane, url: DEFAULT_URLS[plane], source: null };
}

/**
 * Bun reads `.env` of the working folder by itself, before anything of ours runs: a key that stands there is named by
 * that file, since nobody else named it.
 */
async function dotEnvSource(envKey: string | undefined): Promise<string | null> {
  if (envKey === undefined || !("Bun" in globalThis)) return null;
  const { dotEnvWith } = await import("./_dot-env.ts");
  return dotEnvWith(envKey);
}

function sourceOf(envKey: string | undefined, file: KeyFile, readKey: string | undefined): string {
  if (envKey !== undefined) return "RUNPOD_API_KEY";
  if (file.key !== undefined) return CONFIG_FILE;
  return readKey === undefined ? "nowhere" : READ_KEY;
}

/** An empty variable is an unset one. */
function setting(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value.trim() === "" ? undefined : value;
}

function readVariable(name: string): string | undefined {
  try {
    return process.env[name];
  } catch {
    return undefined;
  }
}

function noKey(): ReadbackError {
  return new ReadbackError(
    "no_credentials",
    `No API key: set RUNPOD_API_KEY, or put apikey = "…" at the top of ${CONFIG_FILE}`,
  );
}
