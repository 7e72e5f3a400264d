import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { call } from "./_spawn.ts";

let folder = "";

function git(...args: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...args], { cwd: folder, encoding: "utf8" }).trim();
}

async function deploy(...args: readonly string[]) {
  return await call(["run", "deploy-image", "image-generator", "--sandbox", ...args], { cwd: folder });
}

describe("deploy-image", () => {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "readback-deploy-"));
    git("init", "-q");
    writeFileSync(join(folder, "Dockerfile"), "FROM scratch\n");
    git("add", "-A");
    git("commit", "-qm", "first");
  });
  after(() => rmSync(folder, { recursive: true }));

  test("reads the revision and plans the image alone", async () => {
    const { stdout, stderr, status } = await deploy(
      "--image",
      "acme/sdxl-worker:2.0.0",
      "--dry-run",
      "--json",
    );
    assert.equal(status, 0, stderr);
    const [mutation] = JSON.parse(stdout).mutations;
    assert.deepEqual(mutation.request.body, { image: "acme/sdxl-worker:2.0.0" });
    assert.match(stderr, new RegExp(`git revision ${git("rev-parse", "HEAD")}`));
  });

  test("refuses a tag that can move, unless told", async () => {
    for (const image of ["acme/sdxl-worker", "acme/sdxl-worker:latest", "registry:5000/acme/sdxl-worker"]) {
      const { status, stderr } = await deploy("--image", image, "--dry-run");
      assert.equal(status, 2, image);
      assert.match(stderr, /can move/);
    }
    const digest = `acme/sdxl-worker@sha256:${"a".repeat(64)}`;
    assert.equal((await deploy("--image", digest, "--dry-run")).status, 0);
    assert.equal((await deploy("--image", "acme/w:latest", "--allow-mutable-tag", "--dry-run")).status, 0);
  });

  test("refuses a dirty tree, unless told", async () => {
    writeFileSync(join(folder, "more"), "x");
    try {
      const { status, stderr } = await deploy("--image", "acme/w:2", "--dry-run");
      assert.equal(status, 2);
      assert.match(stderr, /1 files? (is|are) not committed/);
      assert.equal((await deploy("--image", "acme/w:2", "--allow-dirty", "--dry-run")).status, 0);
    } finally {
      rmSync(join(folder, "more"));
    }
  });
});
