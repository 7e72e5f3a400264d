import { ReadbackError } from "../lib/errors.ts";
import { decodeUtf8 } from "./_stdin.ts";

/** Reads a file that a flag names, from where the person stands. @throws usage_error - it cannot be read or is no text */
export async function readGivenFile(flag: string, path: string): Promise<string> {
  const [{ readFile }, { resolve }, { environment, startFolder }] = await Promise.all([
    import("node:fs/promises"),
    import("node:path"),
    import("../lib/config.ts"),
  ]);
  try {
    return decodeUtf8(await readFile(resolve(startFolder(environment()), path)), path);
  } catch (cause) {
    if (cause instanceof ReadbackError) throw cause;
    const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
    const why = REASONS[code] ?? (cause instanceof Error ? cause.message : String(cause));
    throw new ReadbackError("usage_error", `Cannot read --${flag} ${path}: ${why}`, { cause });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  EACCES: "it may not be read",
};
