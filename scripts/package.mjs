// Makes the package and uses it the way people do: installed into an empty folder, on each runtime, with a team folder
// of its own, and as a standalone program; then publint, and what JSR would say.
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createChecks } from "./_checks.mjs";
import { temporaryFolder } from "./_folder.mjs";
import { ROOT } from "./_process.mjs";
import { programOf } from "./_suite.mjs";

const PACKAGE = "node_modules/readback/dist/bin/readback.js";
const PIN = ["run", "pin-gpu", "image-generator", "--gpu", "NVIDIA L40S", "--sandbox"];
const SET_MAX = ["set-max", "image-generator", "--max", "3", "--sandbox"];

/** How each runtime starts a program, and the tests of a team folder as its README says. */
const RUNTIMES = {
  "Node 24": { start: [programOf("node")], test: ["--test", "recipes/**/*.test.ts"] },
  Bun: { start: [programOf("bun")], test: ["test", "recipes"] },
  Deno: { start: [programOf("deno"), "run", "-A"], test: ["test", "-A", "--no-check", "recipes"] },
};

const checks = createChecks("package");
const { path: base, remove } = temporaryFolder("package");
const folder = join(base, "team");
mkdirSync(folder);
const tarball = join(base, `readback-${version()}.tgz`);

await checks.ran("npm pack", ["npm", "pack", "--pack-destination", base]);
checks.tell(
  "npm pack leaves the checkout's package.json",
  readFileSync(join(ROOT, "package.json"), "utf8").includes("./bin/readback.ts"),
);
await checks.ran("publint", [join(ROOT, "node_modules/.bin/publint"), "run", tarball, "--strict"], {
  says: /All good/,
});
const install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", tarball];
await checks.ran("npm install into an empty folder", install, { cwd: folder });
await checks.ran("readback init", [programOf("node"), PACKAGE, "init"], {
  cwd: folder,
  says: /wrote recipes.set-max\.ts/,
});
for (const [name, runtime] of Object.entries(RUNTIMES)) await checkRuntime(name, runtime);
await checkTypes();
await checkStandalone();
await checks.ran("deno publish --dry-run", [programOf("deno"), "publish", "--dry-run", "--allow-dirty"], {
  says: /Dry run complete/,
});
await remove();
checks.close();

async function checkRuntime(name, { start, test }) {
  const readback = [...start, PACKAGE];
  const here = { cwd: folder };
  await checks.ran(`${name}: pin-gpu`, [...readback, ...PIN, "--yes", "--json"], {
    ...here,
    says: /"outcome": "applied"/,
  });
  const dryRun = { ...here, says: /workers\.max +5 → 3/ };
  await checks.ran(`${name}: a team's recipe`, [...readback, "run", ...SET_MAX, "--dry-run"], dryRun);
  const [, ...rest] = SET_MAX;
  const byPath = [...readback, "run", "./recipes/set-max.ts", ...rest, "--yes"];
  await checks.ran(`${name}: a recipe file`, byPath, { ...here, says: /1 of 1 verified/ });
  await checks.ran(`${name}: the recipe's test`, [start[0], ...test], {
    ...here,
    says: /pass 3|3 pass|3 passed/,
  });
  await checks.ran(`${name}: the workflow's command`, ["bash", "-eo", "pipefail", "-c", workflowCommand()], {
    ...dryRun,
    env: {
      PATH: `${npxFolder(name, readback)}:${process.env.PATH}`,
      GITHUB_STEP_SUMMARY: join(base, "summary.md"),
    },
  });
}

/** The lines of the workflow's last step, as they stand in the file. */
function workflowCommand() {
  const text = readFileSync(join(folder, ".github/workflows/readback.yml"), "utf8");
  return (text.split("run: |\n").at(-1) ?? "").replace(/^ {10}/gm, "");
}

/** A folder with an npx that starts the package on one runtime. */
function npxFolder(name, readback) {
  const bin = join(base, `npx-${name.replace(" ", "-")}`);
  mkdirSync(bin);
  writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift\nexec ${readback.join(" ")} "$@"\n`);
  chmodSync(join(bin, "npx"), 0o755);
  return bin;
}

/** The package's types, seen from a recipe of the folder, without any other types there. */
async function checkTypes() {
  const compilerOptions = {
    ...{ strict: true, module: "nodenext", target: "esnext", noEmit: true, types: [], skipLibCheck: false },
    lib: ["esnext", "dom", "dom.iterable", "dom.asynciterable"],
  };
  const config = join(folder, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["recipes/set-max.ts", "wrong.ts"] }));
  const wrong = readFileSync(join(folder, "recipes/set-max.ts"), "utf8").replace(
    '"patch:workers"',
    '"patch:gpu"',
  );
  writeFileSync(join(folder, "wrong.ts"), wrong);
  const tsc = [join(ROOT, "node_modules/.bin/tsc"), "-p", config];
  // One error is wanted, and it names the scope that was not declared.
  await checks.ran("types", tsc, {
    status: 1,
    says: /^[^\n]*wrong\.ts[^\n]*\n(?!.*set-max\.ts)[\s\S]*patch:workers/,
  });
}

/** Nothing but the program: no runtime in PATH, no node_modules upwards. */
async function checkStandalone() {
  await checks.ran("bun build --compile", [process.execPath, join(ROOT, "scripts/standalone.mjs")]);
  const program = join(ROOT, "dist/standalone/readback");
  const alone = join(base, "alone");
  mkdirSync(alone);
  writeFileSync(join(alone, "set-max.ts"), readFileSync(join(folder, "recipes/set-max.ts")));
  writeFileSync(join(alone, ".env"), "RUNPOD_API_KEY=from-a-file-nobody-named\n");
  const here = { cwd: alone, env: { PATH: "/nowhere", HOME: alone } };
  await checks.ran("standalone: --version", [program, "--version"], {
    ...here,
    says: new RegExp(`^${version()}\n`),
  });
  await checks.ran("standalone: pin-gpu", [program, ...PIN, "--yes", "--json"], {
    ...here,
    says: /"outcome": "applied"/,
  });
  const [, ...rest] = SET_MAX;
  const byPath = [program, "run", "./set-max.ts", ...rest, "--yes"];
  await checks.ran("standalone: a recipe file", byPath, { ...here, says: /1 of 1 verified/ });
  const doctor = { ...here, status: 1, says: /no_credentials|No API key/ };
  await checks.ran("standalone: no key from a .env file", [program, "doctor"], doctor);
}

function version() {
  return JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).version;
}
