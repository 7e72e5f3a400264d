import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { call } from "./_spawn.ts";

const GOLDEN = new URL("../golden/plan-pin-gpu.json", import.meta.url);

/** The document without what differs from run to run. */
function steady(text: string): Record<string, unknown> {
  const document = JSON.parse(text) as Record<string, unknown> & { recipe: Record<string, unknown> };
  return { ...document, createdAt: "", recipe: { ...document.recipe, digest: "" } };
}

test("a plan is the same document on every runtime", async () => {
  const args = [
    "run",
    "pin-gpu",
    "image-generator",
    "--gpu",
    "NVIDIA L40S",
    "--sandbox",
    "--dry-run",
    "--json",
  ];
  const { stdout, status } = await call(args);
  assert.equal(status, 0);
  const found = `${JSON.stringify(steady(stdout), null, 2)}\n`;
  if (process.env["READBACK_UPDATE_GOLDEN"] === "1") await writeFile(GOLDEN, found);
  assert.equal(found, await readFile(GOLDEN, "utf8"));
});
