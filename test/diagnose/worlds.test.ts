import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CAUSES } from "../../lib/diagnose/finding.ts";
import { assertAsExpected, assertRules, told } from "./_assert.ts";
import { diagnoseWorld, readJson, type World, worldFiles } from "./_world.ts";

const FILES = worldFiles();

test("every cause has at least three worlds in which it is it, and two in which it is not", () => {
  assert.deepEqual([...FILES.keys()].toSorted(), [...CAUSES].toSorted());
  for (const [cause, { is, isNot }] of FILES) {
    assert.ok(is.length >= 3, `${cause}: ${is.length} worlds`);
    assert.ok(isNot.length >= 2, `${cause}: ${isNot.length} near misses`);
  }
});

for (const [cause, { is, isNot }] of FILES)
  describe(cause, () => {
    for (const world of is)
      test(`is it: ${world.title}`, async () => {
        const diagnosed = await diagnoseWorld(world);
        const { document } = diagnosed;
        assert.equal(document.findings[0]?.cause, cause, told(document));
        assertAsExpected(document, world.expect);
        assertRules(diagnosed, world);
      });
    for (const world of isNot)
      test(`is not it: ${world.title}`, async () => {
        const diagnosed = await diagnoseWorld(world);
        const { document } = diagnosed;
        assert.notEqual(document.findings[0]?.cause, cause, told(document));
        assertAsExpected(document, world.expect);
        assertRules(diagnosed, world);
      });
  });

describe("the trace seen live, one job from the submit to its failure (runpod-api.md 3.4, 4.3)", () => {
  for (const world of readJson("_trace.json") as readonly World[])
    test(world.title, async () => {
      const diagnosed = await diagnoseWorld(world);
      assertAsExpected(diagnosed.document, world.expect);
      assertRules(diagnosed, world);
    });
});
