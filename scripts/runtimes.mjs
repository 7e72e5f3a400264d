// Installs Deno and Node 24 from npm, each in a folder of its own: a `node` package beside the others would take the
// place of the node that runs npm's scripts.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./_process.mjs";
import { programOf } from "./_suite.mjs";

const VERSIONS = { deno: "2.9.6", node: "24.21.0" };

for (const [name, version] of Object.entries(VERSIONS)) {
  const folder = join(ROOT, ".ci/runtimes", name);
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, dependencies: { [name]: version }, allowScripts: { [name]: true } };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  const { status, output } = await run(["npm", "install", "--no-audit", "--no-fund"], {
    cwd: folder,
    show: () => null,
  });
  const said = status === 0 ? (await run([programOf(name), "--version"], { show: () => null })).output : "";
  if (!said.includes(version)) {
    console.log(`${name} ${version} could not be installed:\n${output}`);
    process.exitCode = 1;
  } else console.log(`${name} ${version} is there`);
}
