import type { Cause } from "./finding.ts";
import type { LogLine } from "./reads.ts";

/** What one line of a log gives away. */
export interface Sign {
  readonly cause: Cause;
  /** Specific: it names why. Otherwise it only says that something ended. */
  readonly specific: boolean;
}

interface Pattern extends Sign {
  /** The source that prints it; absent: either. */
  readonly source?: "container" | "system";
  readonly match: RegExp;
}

/**
 * Lines that decide (runpod-api.md 5), the narrower ones first. A start that fails for want of space is a container that
 * never runs, whatever disk is full; a program that says so is out of its own disk.
 */
const PATTERNS: readonly Pattern[] = [
  system(
    "registry_auth",
    /\b(pull|pulling|registry|manifest)\b.*(unauthorized|authentication required|no basic auth credentials|denied)|pull access denied/i,
  ),
  system(
    "image_pull",
    /manifest unknown|manifest for .* not found|no matching manifest|toomanyrequests|failed to pull image|invalid reference format/i,
  ),
  either("cuda_constraint", /unsatisfied condition: cuda\s*>=/i),
  either("cuda_constraint", /CUDA driver version is insufficient for CUDA runtime version/i),
  container("cuda_constraint", /CUDA version check failed|Fitness check failed: \S*cuda_version/i),
  container("gated_model", /GatedRepoError|\bgated repo\b|Access to model .* is restricted/i),
  container("gated_model", /\b40[13] Client Error\b.*huggingface\.co/i),
  container("out_of_memory", /CUDA out of memory|\bOutOfMemoryError\b|memory allocation test failed/i),
  container("out_of_memory", /Insufficient memory:|DefaultCPUAllocator: can't allocate memory/i),
  either("out_of_memory", /\bOOMKilled\b|\boom-kill\b|exit(ed)? (with )?(exit )?code:? 137\b/i),
  container(
    "disk_full",
    /No space left on device|\[Errno 28\]|Insufficient disk space:|Disk quota exceeded/i,
  ),
  container("missing_model_or_module", /\bModuleNotFoundError\b|\bNo module named\b|\bImportError: /),
  container(
    "missing_model_or_module",
    /does not appear to have a file named|is not a valid model identifier|Numpy is not available/i,
  ),
  container(
    "missing_model_or_module",
    /(FileNotFoundError|can't open file|No such file or directory).*(model|weights|checkpoint|\.(safetensors|bin|pt|pth|ckpt|gguf|onnx|json|py)\b)/i,
  ),
  container("bad_payload", /Job has missing field\(s\)/i),
  { ...system("crash_loop", /error (starting|creating) container: (?!image pull:)/i), specific: true },
  { ...container("crash_loop", /exec format error|exec user process caused/i), specific: true },
  { ...container("crash_loop", /^Fitness check failed: /), specific: true },
  { ...system("crash_loop", /exited with exit code [1-9]|exec format error/i), specific: false },
  { ...container("crash_loop", /Worker is unhealthy, exiting/i), specific: false },
];

/** Reads what a line gives away; null for the many that give away nothing. */
export function signOf(line: LogLine): Sign | null {
  const text = messageOf(line.line).text;
  const found = PATTERNS.find(
    ({ source, match }) => (source === undefined || source === line.source) && match.test(text),
  );
  return found === undefined ? null : { cause: found.cause, specific: found.specific };
}

/** Reads a cause off a text that is no log line, such as a job's error; null where it names none. */
export function causeOfText(text: string): Cause | null {
  return PATTERNS.find(({ source, match }) => source !== "system" && match.test(text))?.cause ?? null;
}

/** What the worker SDK says: its lines are JSON on the platform (runpod-api.md 5); any other line is its own message. */
export function messageOf(line: string): { readonly text: string; readonly requestId: string | null } {
  const whole = { text: line, requestId: null };
  if (!line.startsWith("{")) return whole;
  try {
    const { message, requestId } = JSON.parse(line) as Record<string, unknown>;
    if (typeof message !== "string") return whole;
    return { text: message, requestId: typeof requestId === "string" ? requestId : null };
  } catch {
    return whole;
  }
}

function system(cause: Cause, match: RegExp): Pattern {
  return { cause, match, source: "system", specific: true };
}

function container(cause: Cause, match: RegExp): Pattern {
  return { cause, match, source: "container", specific: true };
}

function either(cause: Cause, match: RegExp): Pattern {
  return { cause, match, specific: true };
}
