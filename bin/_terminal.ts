/** True when a file descriptor is a terminal. A look at `process.stdout` would cost a third of a fast command's time. */
export async function isTerminal(fd: 0 | 1 | 2): Promise<boolean> {
  const { fstatSync } = await import("node:fs");
  if (!isCharacterDevice(fd, fstatSync)) return false;
  const { isatty } = await import("node:tty"); // /dev/null is a character device too
  return isatty(fd);
}

/** True when a terminal is to get colour and moving output, as the environment asks (no-color.org). */
export function wantsPlain(env: Readonly<Record<string, string | undefined>>): boolean {
  return isSet(env["NO_COLOR"]) || isSet(env["CI"]) || env["TERM"] === "dumb";
}

function isCharacterDevice(fd: number, fstatSync: typeof import("node:fs").fstatSync): boolean {
  try {
    return fstatSync(fd).isCharacterDevice();
  } catch {
    return false; // closed
  }
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
