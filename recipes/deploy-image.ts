import {
  arg,
  assertReadBack,
  defineRecipe,
  type Ops,
  patch,
  ReadbackError,
  readEndpoint,
} from "../lib/mod.ts";
import { shell } from "../lib/shell.ts";

export default defineRecipe({
  name: "deploy-image",
  summary: "Set an endpoint's image, from a clean git tree and by a tag that does not move",
  args: {
    endpoint: arg.endpoint(),
    image: arg.string("image reference, such as acme/worker:1.4.2"),
    allowDirty: arg.flag("deploy although the git tree has uncommitted changes, or is none"),
    allowMutableTag: arg.flag("deploy a tag that can move, such as latest"),
  },
  mutates: ["patch:image"],
  example: "image-generator --image acme/sdxl-worker:1.5.0",
  async run(ops, { endpoint, image, allowDirty, allowMutableTag }) {
    if (!allowMutableTag) assertFixedTag(image);
    const revision = await revisionOf(ops, allowDirty);
    ops.note(`git revision ${revision ?? "unknown"}`);
    const before = await readEndpoint(ops, endpoint);
    const change = await patch(ops, before, { image });
    await assertReadBack(ops, change);
    return { image, revision };
  },
});

/** Workers that have a moved tag cached may keep the old image (runpod-api.md 2.7). */
function assertFixedTag(image: string): void {
  if (image.includes("@sha256:")) return;
  const tag = /:([^/:]+)$/.exec(image)?.[1];
  if (tag !== undefined && !MUTABLE_TAGS.has(tag.toLowerCase())) return;
  throw new ReadbackError(
    "usage_error",
    `Refused to deploy ${image}: ${tag === undefined ? "without a tag it means latest, which" : `the tag ${tag}`} can move, and workers that have it cached keep the old image; give a version, or --allow-mutable-tag`,
  );
}

const MUTABLE_TAGS: ReadonlySet<string> = new Set([
  ...["latest", "main", "master", "dev", "develop", "development", "nightly", "edge", "staging"],
  ...["stable", "prod", "production", "test", "beta", "alpha", "canary"],
]);

async function revisionOf(ops: Ops, allowDirty: boolean): Promise<string | null> {
  try {
    const { stdout: revision } = await shell(ops, { looks: true })`git rev-parse HEAD`;
    const { stdout: changes } = await shell(ops, { looks: true })`git status --porcelain`;
    if (changes.trim() !== "" && !allowDirty)
      throw dirty(`${count(changes.trim().split("\n").length)} not committed`);
    return revision.trim();
  } catch (error) {
    if (!(error instanceof ReadbackError) || error.code !== "shell_failed") throw error;
    if (!allowDirty) throw dirty("the folder is no git repository with a commit");
    return null;
  }
}

function dirty(why: string): ReadbackError {
  return new ReadbackError("usage_error", `Refused to deploy: ${why}; commit first, or --allow-dirty`);
}

function count(files: number): string {
  return files === 1 ? "1 file is" : `${files} files are`;
}
