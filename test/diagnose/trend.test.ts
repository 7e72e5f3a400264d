import assert from "node:assert/strict";
import { test } from "node:test";
import type { Health } from "../../lib/api/health.ts";
import { trendOf } from "../../lib/diagnose/trend.ts";

const at = (jobs: Health["jobs"]): Health => ({ jobs, workers: {} });

const TRENDS: Readonly<Record<string, readonly [Health["jobs"], Health["jobs"]]>> = {
  empty: [{ inQueue: 1 }, { inQueue: 0 }],
  growing: [
    { inQueue: 3, inProgress: 1, completed: 1 },
    { inQueue: 5, inProgress: 1, completed: 2 },
  ],
  draining: [
    { inQueue: 3, inProgress: 1, completed: 1 },
    { inQueue: 3, inProgress: 1, completed: 2 },
  ],
  failing: [
    { inQueue: 3, inProgress: 1, failed: 0 },
    { inQueue: 2, inProgress: 1, failed: 1 },
  ],
  working: [
    { inQueue: 3, inProgress: 1 },
    { inQueue: 3, inProgress: 1 },
  ],
  stuck: [
    { inQueue: 3, inProgress: 0 },
    { inQueue: 3, inProgress: 0 },
  ],
};

for (const [trend, [earlier, latest]] of Object.entries(TRENDS))
  test(`two samples tell ${trend}`, () => {
    assert.equal(trendOf(at(earlier), at(latest), latest.inQueue ?? 0), trend);
  });

test("jobs that leave without an end, as cancelled ones do, drain the queue", () => {
  assert.equal(trendOf(at({ inQueue: 3, inProgress: 0 }), at({ inQueue: 1, inProgress: 0 }), 1), "draining");
});

test("one sample, or a counter that is not there, is no trend", () => {
  assert.equal(trendOf(null, at({ inQueue: 3 }), 3), "unknown");
  assert.equal(trendOf(at({}), at({}), 1), "stuck");
});
