import type { Team } from "../lib/team/team.ts";
import { withOwnStdout } from "./_output.ts";

/** The config file nearest to where the person stands, or null where there is none. @throws usage_error, recipe_error */
export async function readTeam(): Promise<Team | null> {
  const { environment, startFolder } = await import("../lib/config.ts");
  const { loadTeam } = await import("../lib/team/team.ts");
  return await withOwnStdout(() => loadTeam(startFolder(environment())));
}

/** The folder of the run history: the environment's, the team's, or the person's own. @throws usage_error */
export async function runsFolder(): Promise<string> {
  const { environment, historyFolder } = await import("../lib/config.ts");
  const env = environment();
  const own = env["READBACK_HISTORY_DIR"];
  if (own !== undefined && own !== "") return own;
  return (await readTeam())?.historyFolder ?? historyFolder(env);
}
