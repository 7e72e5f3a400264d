import assert from "node:assert/strict";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { confirm, confirmTyped } from "../../bin/_confirm.ts";
import { isReadbackError, ReadbackError } from "../../lib/errors.ts";

/** Asks, with these lines typed; null ends the input. */
async function ask(typed: string | null, signal = new AbortController().signal): Promise<string> {
  const input = new PassThrough();
  const output = new PassThrough();
  const asking = confirm("Apply? [y/N]", { input, output, signal });
  if (typed === null) input.end();
  else input.write(typed);
  await asking;
  return String(output.read());
}

describe("confirm()", () => {
  for (const yes of ["y\n", "Y\n", "yes\n", " YES \n"]) {
    test(`takes ${JSON.stringify(yes)} for yes`, async () => {
      assert.equal(await ask(yes), "Apply? [y/N] ");
    });
  }

  for (const no of ["\n", "n\n", "no\n", "yep\n", "yes please\n", "apply\n", null]) {
    test(`takes ${no === null ? "the end of input" : JSON.stringify(no)} for no`, async () => {
      await assert.rejects(ask(no), (error) => isReadbackError(error, "not_confirmed"));
    });
  }

  test("ends with the reason of the signal on Ctrl-C", async () => {
    const stop = new AbortController();
    const reason = new ReadbackError("interrupted", "Interrupted by SIGINT");
    setTimeout(() => stop.abort(reason), 5);
    await assert.rejects(ask("", stop.signal), reason);
  });
});

describe("confirmTyped()", () => {
  /** Asks for the word `img`, with this typed; null ends the input. */
  async function type(
    typed: string | null,
    signal = new AbortController().signal,
    words: readonly string[] = ["img"],
  ): Promise<string> {
    const input = new PassThrough();
    const output = new PassThrough();
    let shown = "";
    output.on("data", (chunk: Buffer) => {
      shown += String(chunk);
    });
    const asking = confirmTyped("1 change.", words, { input, output, signal });
    if (typed === null) input.end();
    else input.write(typed);
    await asking;
    output.end();
    await once(output, "end");
    return shown;
  }

  test("asks for each of several words", async () => {
    assert.equal(
      await type("img\nocr\n", undefined, ["img", "ocr"]),
      "1 change. Type img to apply (1 of 2): Type ocr to apply (2 of 2): ",
    );
    for (const other of ["img\n\n", "img\nimg\n", "ocr\nimg\n", "img ocr\n\n"])
      await assert.rejects(type(other, undefined, ["img", "ocr"]), { code: "not_confirmed" });
  });

  test("never takes an empty line for consent, whatever the word", async () => {
    await assert.rejects(type("\n", undefined, [""]), { code: "not_confirmed" });
  });

  test("takes the word alone, with space around it", async () => {
    await type("img\n");
    await type("  img \r\n");
  });

  for (const other of ["y\n", "yes\n", "IMG\n", "img2\n", "\n", null])
    test(`takes ${other === null ? "the end of input" : JSON.stringify(other)} for no`, async () => {
      await assert.rejects(type(other), (error) => isReadbackError(error, "not_confirmed"));
    });

  test("ends with the reason of the signal on Ctrl-C", async () => {
    const reason = new ReadbackError("interrupted", "Interrupted by SIGINT");
    await assert.rejects(type("", AbortSignal.abort(reason)), reason);
  });
});
