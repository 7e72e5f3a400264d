import { readFileSync } from "node:fs";

/** The files that Bun reads by itself, the later over the earlier. */
const FILES = [".env", ".env.development", ".env.production", ".env.test", ".env.local"];

/** Names the file of the working folder that holds a key, or gives null when none does. */
export function dotEnvWith(key: string): string | null {
  const file = FILES.findLast((name) => textOf(name).includes(key));
  return file === undefined ? null : `${file} of the working folder, which Bun reads by itself`;
}

function textOf(name: string): string {
  try {
    return readFileSync(name, "utf8");
  } catch {
    return "";
  }
}
