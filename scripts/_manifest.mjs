import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./_process.mjs";

const MANIFEST = join(ROOT, "package.json");
/** The checkout's own package.json while the package's stands in its place. */
const KEPT = join(ROOT, ".package.json.checkout");

/** Puts the package's package.json in the place of the checkout's: npm packs the file that is there. */
export function stageManifest() {
  restoreManifest(); // a pack that was cut off leaves the package's
  const text = readFileSync(MANIFEST, "utf8");
  writeFileSync(KEPT, text);
  writeFileSync(MANIFEST, `${JSON.stringify(packageManifest(JSON.parse(text)), null, 2)}\n`);
}

/** Puts the checkout's own package.json back, where it was replaced. */
export function restoreManifest() {
  if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
  rmSync(KEPT, { force: true });
}

/** The checkout runs from TypeScript; Node and Deno refuse that under node_modules, so the package has JavaScript. */
function packageManifest({ scripts: _scripts, devDependencies: _dev, allowScripts: _allow, ...manifest }) {
  return {
    ...manifest,
    engines: { node: ">=22.18" }, // the checkout's npm may be older: there, Bun runs it
    bin: mapped(manifest.bin, built),
    exports: mapped(manifest.exports, (path) => ({
      types: built(path).replace(/\.js$/, ".d.ts"),
      default: built(path),
    })),
    files: ["dist", "docs", "CHANGELOG.md"],
  };
}

function mapped(paths, change) {
  return Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, change(path)]));
}

/** `./lib/mod.ts` is `./dist/lib/mod.js` there. */
function built(path) {
  return path.replace(/^\.\//, "./dist/").replace(/\.ts$/, ".js");
}
