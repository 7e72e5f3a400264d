import { defineCommand } from "../_command.ts";
import { printText } from "../_output.ts";

export default defineCommand({
  meta: { name: "init", description: "write a team folder: config, a recipe, its test, a workflow" },
  args: {
    dir: { type: "positional", required: false, description: "folder to write to (default: this one)" },
  },
  async run({ args }) {
    const { environment, startFolder } = await import("../../lib/config.ts");
    const { initFolder } = await import("../../lib/team/init-folder.ts");
    const { resolve } = await import("node:path");
    const start = startFolder(environment());
    const files = await initFolder(resolve(start, args.dir ?? "."), start);
    printText(closing(files, args.dir ?? "."));
  },
});

function closing(files: readonly string[], dir: string): string {
  const go = dir === "." ? "" : `cd ${dir}; `;
  return [
    ...files.map((file) => `wrote ${file}`),
    "",
    `Try it:  ${go}readback run set-max image-generator --max 3 --sandbox --dry-run`,
    'Test it: node --test "recipes/**/*.test.ts" (needs readback in node_modules: npm install --save-dev readback)',
  ].join("\n");
}
