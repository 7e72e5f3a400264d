// Runs before `npm pack` and `npm publish`: builds, and lets the package's package.json take the checkout's place.
import { stageManifest } from "./_manifest.mjs";
import "./build.mjs";

if (process.exitCode === 0 || process.exitCode === undefined) stageManifest();
