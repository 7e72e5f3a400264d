// Runs after `npm pack` and `npm publish`: puts the checkout's own package.json back.
import { restoreManifest } from "./_manifest.mjs";

restoreManifest();
