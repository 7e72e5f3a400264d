import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createResume, type Resume } from "../../lib/logs/resume.ts";

function give(resume: Resume, id: string, line: string, source = "container"): boolean {
  resume.sawId(id);
  return resume.isNew({ source, line, ts: id, workerId: "w1" }, id);
}

const [T1, T2, T3] = ["2026-08-06T17:43:01Z", "2026-08-06T17:43:02Z", "2026-08-06T17:43:03.5Z"];

describe("going on after a lost connection", () => {
  test("asks as before as long as nothing came", () => {
    const resume = createResume();
    const first = { source: "system" as const, tail: 7 };
    resume.connected();
    assert.equal(resume.next(first), first);
  });

  test("asks behind the last id before the last line's second, never for a tail, and keeps the source", () => {
    const resume = createResume();
    resume.connected();
    give(resume, T1, "a");
    assert.deepEqual(resume.next({ tail: 7 }), { since: T1 });
    give(resume, T2, "b");
    assert.deepEqual(resume.next({ source: "system", tail: 7 }), {
      source: "system",
      since: T2,
      lastEventId: T1,
    });
    give(resume, "2026-08-06T17:43:03.1Z", "c");
    give(resume, T3, "d");
    assert.deepEqual(resume.next({ since: T1 }), { since: T3, lastEventId: T2 });
  });

  test("gives a line once although it comes again, and its sibling of the same instant too", () => {
    const resume = createResume();
    resume.connected();
    assert.deepEqual([give(resume, T1, "t1"), give(resume, T2, "t2")], [true, true]);
    resume.connected();
    assert.deepEqual(
      [give(resume, T2, "t2"), give(resume, T2, "t2b"), give(resume, T3, "t3")],
      [false, true, true],
    );
  });

  test("gives a line that a program repeats: at other instants, within one, and from another source", () => {
    const resume = createResume();
    resume.connected();
    assert.deepEqual(
      [T1, T2, T2, T3].map((ts) => give(resume, ts, "step done")),
      [true, true, true, true],
    );
    assert.equal(give(resume, T3, "step done", "system"), true);
    resume.connected();
    assert.deepEqual(
      [T2, T2, T2, T3].map((ts) => give(resume, ts, "step done")),
      [false, false, true, false],
    );
  });

  test("takes ids that are no instants as they are, and sends none that no header can carry", () => {
    const resume = createResume();
    resume.connected();
    give(resume, "2026-06-01T12:05:04Z/000000000042", "a");
    assert.deepEqual(resume.next({ tail: 7 }), { lastEventId: "2026-06-01T12:05:04Z/000000000042" });
    give(resume, "é\n", "b");
    assert.deepEqual(resume.next({ tail: 7 }), { tail: 0 });
  });

  test("moves on by an id alone", () => {
    const resume = createResume();
    resume.connected();
    give(resume, T1, "a");
    resume.sawId(T2);
    assert.deepEqual(resume.next({}), { since: T2, lastEventId: T1 });
  });

  test("follows the last id where one second has more lines than are remembered", () => {
    const resume = createResume();
    resume.connected();
    give(resume, T1, "a");
    for (let i = 0; i <= 10_000; i++) give(resume, T2, `${i}`);
    assert.deepEqual(resume.next({}), { since: T2, lastEventId: T2 });
  });
});
