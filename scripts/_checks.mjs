import { run } from "./_process.mjs";

/**
 * A list of checks, told one line each; the closing line has the form that ci.mjs adds up.
 *
 * @param {string} title
 */
export function createChecks(title) {
  const counts = { passed: 0, failed: 0 };
  return {
    /** @param {string} name @param {boolean} fine @param {string} [why] */
    tell(name, fine, why = "") {
      counts[fine ? "passed" : "failed"] += 1;
      console.log(`${title}: ${name}: ${fine ? "fine" : `not fine\n${why}`}`);
      return fine;
    },
    /**
     * Runs a program, which must end with a status (0) and say a text.
     *
     * @param {string} name
     * @param {readonly string[]} command
     * @param {{ cwd?: string, env?: Record<string, string>, says?: RegExp, status?: number }} options
     */
    async ran(name, command, { cwd, env = {}, says = /(?:)/, status = 0 } = {}) {
      const done = await run(command, {
        ...(cwd === undefined ? {} : { cwd }),
        env: { ...plainEnv(), ...env },
        show: () => null,
      });
      const fine = done.status === status && says.test(done.output);
      return this.tell(name, fine, `${command.join(" ")} ended with ${done.status}:\n${done.output}`);
    },
    close() {
      console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
      process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
    },
  };
}

/** The environment without what would change what Readback does: a key, hosts, colours, and where npm was called. */
export function plainEnv() {
  const changes = /^(RUNPOD_|READBACK_|FORCE_COLOR|INIT_CWD|npm_(lifecycle|package|command|execpath))/;
  const kept = Object.entries(process.env).filter(([name]) => !changes.test(name));
  return { ...Object.fromEntries(kept), NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
}
