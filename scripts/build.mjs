// Makes the package's JavaScript and types from the same sources, into dist/.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./_process.mjs";

rmSync(join(ROOT, "dist"), { recursive: true, force: true });
const { status } = await run([join(ROOT, "node_modules/.bin/tsc"), "-p", "tsconfig.build.json"]);
process.exitCode = status;
