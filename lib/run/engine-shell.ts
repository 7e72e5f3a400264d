import { mask } from "../api/mask.ts";
import { type ShellResult, shellMutation } from "../plan/shell-mutation.ts";
import type { Engine, ShellRequest } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import { assertMayShell } from "./grants.ts";

/** The part of an engine that runs shell commands. */
export function shellSteps(parts: EngineParts): Pick<Engine, "shell"> {
  const { session } = parts;
  return {
    shell: (request) =>
      request.looks
        ? session.step("shell", "look", request.execute)
        : session.step("shell", "change", () => commit(request, parts)),
  };
}

async function commit({ command, execute }: ShellRequest, parts: EngineParts): Promise<ShellResult> {
  const { target, grants, mode } = parts;
  const shown = mask(command, [target.key, target.readKey]);
  assertMayShell(grants, shown);
  const applied = await mode.commit(shellMutation(mode.nextNumber(), shown, execute));
  const about = { step: "shell", text: `what ${shown} prints` };
  return await mode.onlyInApply(about, async () => applied?.shell ?? { stdout: "", stderr: "", exitCode: 0 });
}
