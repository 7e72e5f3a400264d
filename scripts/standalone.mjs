// Makes the standalone program, dist/standalone/readback: it needs no runtime.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./_process.mjs";

const out = join(ROOT, "dist/standalone/readback");
mkdirSync(join(ROOT, "dist/standalone"), { recursive: true });
const { status } = await run([
  join(ROOT, "node_modules/.bin/bun"),
  ...["build", "--compile", "bin/readback.ts", "--outfile", out],
  // Bytecode is two thirds of its start-up; names are kept for messages.
  ...["--format=esm", "--bytecode", "--minify-whitespace", "--minify-syntax"],
  // A key must never come from a file that nobody named.
  ...["--no-compile-autoload-dotenv", "--no-compile-autoload-bunfig"],
]);
process.exitCode = status;
