import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createSseReader, type SseEvent } from "../../lib/api/sse.ts";

function read(pieces: readonly string[], maxChars = 1_048_576): { events: SseEvent[]; ids: string[] } {
  const events: SseEvent[] = [];
  const ids: string[] = [];
  const reader = createSseReader({
    onEvent: (event) => events.push(event),
    onId: (id) => ids.push(id),
    maxChars,
  });
  for (const piece of pieces) reader.feed(piece);
  reader.finish();
  return { events, ids };
}

const STREAM =
  ": hello\nid: 1\ndata: a\n\nid: 2\n\nevent: x\nretry: 10\nid: 3\ndata: b\ndata: c\n\nid: 4\ndata: d";
const EVENTS: readonly SseEvent[] = [
  { id: "1", data: "a", truncated: false },
  { id: "3", data: "b\nc", truncated: false },
  { id: "4", data: "d", truncated: false },
];

describe("server-sent events", () => {
  for (const [name, end] of [
    ["LF", "\n"],
    ["CRLF", "\r\n"],
    ["CR", "\r"],
  ] as const) {
    test(`are the same wherever the text is cut, with ${name}, comments, id-only frames and no last blank line`, () => {
      const text = `\ufeff${STREAM.replaceAll("\n", end)}`;
      for (let cut = 0; cut <= text.length; cut++) {
        const { events, ids } = read([text.slice(0, cut), text.slice(cut)]);
        assert.deepEqual(events, EVENTS, `cut at ${cut}`);
        assert.deepEqual(ids, ["1", "2", "3", "4"], `cut at ${cut}`);
      }
      assert.deepEqual(read([...text]).events, EVENTS);
    });
  }

  test("over the bound are cut there and marked, wherever the text is cut, and the next one is whole", () => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = `id: 1\ndata: ${"x".repeat(50)}\n\nid: 2\ndata: y\n\n`.replaceAll("\n", end);
      for (let cut = 0; cut <= text.length; cut++) {
        const { events } = read([text.slice(0, cut), text.slice(cut)], 31);
        assert.deepEqual(events, [
          { id: "1", data: "x".repeat(20), truncated: true },
          { id: "2", data: "y", truncated: false },
        ]);
      }
    }
  });

  test("keep their id when it comes after what is over the bound", () => {
    const { events } = read([`data: ${"x".repeat(50)}\ndata: more\nid: 9\n\n`], 16);
    assert.deepEqual(events, [{ id: "9", data: `${"x".repeat(10)}\n`.trimEnd(), truncated: true }]);
  });

  test("of many lines that never end are bounded as a whole", () => {
    const { events } = read(
      [...Array.from({ length: 2_000 }, () => `data: ${"z".repeat(100)}\r\n`), "\r\n"],
      1_000,
    );
    assert.equal(events.length, 1);
    assert.equal(events[0]?.truncated, true);
    assert.ok((events[0]?.data.length ?? 0) <= 3_000, `${events[0]?.data.length}`);
  });
});
