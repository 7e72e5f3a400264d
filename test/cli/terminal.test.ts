import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { recipeFolder } from "../load/_recipe-folder.ts";
import { endpointText, type Service, service } from "./_service.ts";
import { temporaryFolder } from "./_spawn.ts";
import { onTerminal, type Typing } from "./_terminal.ts";

const PURGES = `import { arg, defineRecipe, purge } from "readback";
export default defineRecipe({
  name: "purges", summary: "Clear queues", mutates: ["purge"], args: { endpoints: arg.endpoints() },
  run: async (ops, { endpoints }) => {
    for (const endpoint of endpoints) await purge(ops, endpoint);
  },
});
`;

const HEALTH = '{"jobs":{"inQueue":7,"inProgress":2},"workers":{"running":2}}';

describe("on a terminal", () => {
  let folder: ReturnType<typeof recipeFolder>;
  before(() => {
    folder = recipeFolder({ "purges.ts": PURGES });
  });
  after(() => folder.remove());

  async function typed(args: readonly string[], typing: readonly Typing[], names = ["img", "ocr"]) {
    const home = temporaryFolder();
    const [a = "", b = ""] = names;
    let purged = false;
    const health = (): string => (purged ? HEALTH.replace("7", "0") : HEALTH);
    const purge = (): string => {
      purged = true;
      return '{"removed":7,"status":"completed"}';
    };
    const at: Service = await service(
      {
        "GET /ep_a/health": health,
        "GET /ep_b/health": health,
        "POST /ep_a/purge-queue": purge,
        "POST /ep_b/purge-queue": purge,
      },
      {
        "GET /v2/serverless/ep_a": endpointText({ id: "ep_a", name: a }),
        "GET /v2/serverless/ep_b": endpointText({ id: "ep_b", name: b }),
      },
    );
    try {
      const env = { ...at.env, HOME: home.path };
      return { ...(await onTerminal(args, typing, { env, cwd: folder.path })), sent: at.changes().length };
    } finally {
      await at.close();
      home.remove();
    }
  }

  const PURGE = ["serverless", "purge", "ep_a"];
  const BOTH = ["run", "./purges.ts", "ep_a", "ep_b"];

  test("purge asks for the endpoint's name, and sends with it", async () => {
    const { status, screen, sent } = await typed(PURGE, [{ when: /Type img to apply: /, type: "img\n" }]);
    assert.deepEqual([status, sent], [0, 1], screen);
    assert.match(screen, /VERIFIED/);
  });

  for (const wrong of ["y\n", "yes\n", "im\n", "\n", "\u0004"])
    test(`purge with ${JSON.stringify(wrong)} typed for the name: nothing sent, exit 3`, async () => {
      const { status, screen, sent } = await typed(PURGE, [{ when: /Type img to apply: /, type: wrong }]);
      assert.deepEqual([status, sent], [3, 0], screen);
    });

  test("Ctrl-C at the prompt: nothing sent, exit 130", async () => {
    const { status, screen, sent } = await typed(PURGE, [{ when: /Type img to apply: /, type: "\u0003" }]);
    assert.deepEqual([status, sent], [130, 0], screen);
  });

  test("a recipe that purges two endpoints asks for both names, and sends nothing with one", async () => {
    const first = { when: /Type img to apply \(1 of 2\): /, type: "img\n" };
    const second = /Type ocr to apply \(2 of 2\): /;
    const no = await typed(BOTH, [first, { when: second, type: "img\n" }]);
    assert.deepEqual([no.status, no.sent], [3, 0], no.screen);
    const yes = await typed(BOTH, [first, { when: second, type: "ocr\n" }]);
    assert.equal(yes.sent, 2, yes.screen);
  });

  test("an endpoint without a name, or with another's, is typed by its id", async () => {
    const blank = await typed(PURGE, [{ when: /Type ep_a to apply: /, type: "\n" }], ["  ", "ocr"]);
    assert.deepEqual([blank.status, blank.sent], [3, 0], blank.screen);
    const same = await typed(
      BOTH,
      [{ when: /Type ep_a to apply \(1 of 2\): /, type: "img\n" }],
      ["img", "img"],
    );
    assert.deepEqual([same.status, same.sent], [3, 0], same.screen);
  });
});
