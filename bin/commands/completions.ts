import { ReadbackError } from "../../lib/errors.ts";
import { MANY } from "../_args.ts";
import { type AnyCommand, defineCommand, type WordCommand } from "../_command.ts";
import { printText } from "../_output.ts";
import { sessionOf } from "../_session.ts";

const command = defineCommand({
  meta: {
    name: "completions",
    description: 'print the completion script of a shell, as in: eval "$(readback completions bash)"',
  },
  args: {
    shell: {
      type: "positional",
      required: true,
      valueHint: "bash|zsh|fish",
      description: "bash, zsh or fish",
    },
  },
});

/** The scripts, and what they call: `completions complete -- <words of the line>`. */
export default { ...command, forWord: shellCommand, run: () => {} } satisfies WordCommand;

async function shellCommand(word: string): Promise<AnyCommand> {
  if (word === "complete") return lineCommand;
  return defineCommand({
    meta: { description: `print the completion script of ${word}` },
    run: () => printScript(word),
  });
}

async function printScript(shell: string): Promise<void> {
  if (shell === "bash") {
    const { BASH_SCRIPT } = await import("../_completion-bash.ts");
    return printText(BASH_SCRIPT);
  }
  if (shell !== "zsh" && shell !== "fish")
    throw new ReadbackError(
      "usage_error",
      `There is no completion script for "${shell}"; there are bash, zsh, fish`,
    );
  const { script } = await import("@bomb.sh/tab");
  script(shell, "readback", "readback completions");
}

const lineCommand = defineCommand({
  meta: { description: "print what may follow on a line; the scripts call it" },
  args: {
    words: { type: "positional", required: false, valueHint: MANY, description: "the words after readback" },
  },
  async run(context) {
    const { rawArgs } = context;
    const words = rawArgs.slice(rawArgs.indexOf("--") + 1);
    const last = words.at(-1) ?? "";
    const { completionTree } = await import("../_completion-tree.ts");
    const { root, takesFiles } = await completionTree(sessionOf(context).main, words.slice(0, -1));
    const isFlag = last.startsWith("-");
    if (!isFlag && (takesFiles || /[\\/]|^[.~]/.test(last))) printText(":0");
    else root.parse([...words]);
  },
});
