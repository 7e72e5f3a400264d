import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder outside the repository, with these files. */
export function recipeFolder(files: Readonly<Record<string, string>>): {
  readonly path: string;
  remove(): void;
} {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "readback-recipes-")));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** The text of a recipe file that reads and changes nothing. */
export function recipeText(head = "", body = "return 1;"): string {
  return `import { defineRecipe } from "readback";
${head}
export default defineRecipe({ name: "some", summary: "Something", mutates: [], run: async () => { ${body} } });
`;
}
