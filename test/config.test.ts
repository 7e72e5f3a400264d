import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { type Environment, environment, historyFolder, loadTarget, startFolder } from "../lib/config.ts";
import { isReadbackError, type ReadbackError } from "../lib/errors.ts";
import { VERSION } from "../lib/version.ts";
import manifest from "../package.json" with { type: "json" };

const homes: string[] = [];
after(() => Promise.all(homes.map((home) => rm(home, { recursive: true, force: true }))));

const KEY = { RUNPOD_API_KEY: "rpa_ENV" };

describe("loadTarget()", () => {
  test("gives Runpod's addresses and the key of the environment", async () => {
    assert.deepEqual(await loadTarget({ env: KEY }), {
      controlUrl: "https://api.runpod.io",
      invokeUrl: "https://api.runpod.ai/v2",
      host: "api.runpod.io",
      key: "rpa_ENV",
      readKey: "rpa_ENV",
      keySource: "RUNPOD_API_KEY",
      timeoutMs: 30_000,
    });
  });

  test("accepts every spelling of the addresses", async () => {
    for (const [control, invoke] of [
      ["http://127.0.0.1:8787", "http://127.0.0.1:8787/invoke/v2"],
      ["http://127.0.0.1:8787/", "http://127.0.0.1:8787/invoke"],
      ["http://127.0.0.1:8787/v2", " http://127.0.0.1:8787/invoke/v2// "],
      ["HTTP://127.0.0.1:8787/v2/", "http://127.0.0.1:8787/invoke/"],
    ] as const) {
      for (const [a, b] of [
        ["RUNPOD_API_BASE_URL", "RUNPOD_INVOKE_URL"],
        ["RUNPOD_REST_V2_URL", "RUNPOD_SERVERLESS_API_URL"],
      ] as const) {
        const target = await loadTarget({ env: { ...KEY, [a]: control, [b]: invoke } });
        assert.deepEqual(
          [target.controlUrl, target.invokeUrl, target.host],
          ["http://127.0.0.1:8787", "http://127.0.0.1:8787/invoke/v2", "127.0.0.1:8787"],
        );
      }
    }
  });

  test("takes an empty variable as unset, and both variables of a plane when they agree", async () => {
    const env = {
      ...KEY,
      RUNPOD_INVOKE_URL: "",
      RUNPOD_API_BASE_URL: "https://api.runpod.io",
      RUNPOD_REST_V2_URL: "https://api.runpod.io/v2",
    };
    assert.equal((await loadTarget({ env })).controlUrl, "https://api.runpod.io");
  });

  test("prefers the read-only key for looks, and can do with it alone", async () => {
    const both = await loadTarget({ env: { ...KEY, RUNPOD_READ_ONLY_API_KEY: "rpa_RO" } });
    assert.deepEqual([both.key, both.readKey, both.keySource], ["rpa_ENV", "rpa_RO", "RUNPOD_API_KEY"]);
    const alone = await loadTarget({ env: { HOME: await home(null), RUNPOD_READ_ONLY_API_KEY: "rpa_RO" } });
    assert.deepEqual([alone.key, alone.readKey, alone.keySource], ["", "rpa_RO", "RUNPOD_READ_ONLY_API_KEY"]);
  });

  test("takes nothing but the given deadline", async () => {
    assert.equal((await loadTarget({ env: { ...KEY, TIMEOUT: "1s" }, timeoutMs: 7 })).timeoutMs, 7);
  });
});

describe("where a key may go", () => {
  const refusals: readonly [string, Environment, RegExp][] = [
    ["a foreign host", bases("https://evil.example"), /points to evil\.example.*--allow-host evil\.example/],
    [
      "plain http to another machine",
      bases("http://192.168.1.4:8787"),
      /192\.168\.1\.4:8787 over plain http/,
    ],
    ["plain http to Runpod", bases("http://api.runpod.io"), /over plain http/],
    ["a load balancer of anyone", bases("https://abc.api.runpod.ai"), /abc\.api\.runpod\.ai/],
    ["a look-alike", bases("https://api.runpod.io.evil.example"), /evil\.example/],
    [
      "a Runpod host on another port",
      { RUNPOD_API_BASE_URL: "https://api.runpod.io:8443" },
      /points to api\.runpod\.io:8443/,
    ],
    [
      "the other plane's host",
      { RUNPOD_API_BASE_URL: "https://api.runpod.ai" },
      /not Runpod's control plane/,
    ],
    ["0.0.0.0", bases("http://0.0.0.0:8787"), /plain http/],
    ["an address with a password", bases("https://a:b@api.runpod.io"), /user name or a password/],
    ["an address with a query", bases("https://api.runpod.io?x=1"), /query/],
    ["no address", bases("localhost:8787"), /RUNPOD_API_BASE_URL is not an http or https URL/],
    ["a file", bases("file:///tmp"), /not an http or https URL/],
  ];
  for (const [name, env, words] of refusals) {
    test(`${name} is refused`, async () => {
      const error = await refusal({ ...KEY, ...env });
      assert.equal(error.code, "usage_error");
      assert.match(error.message, words);
    });
  }

  test("one plane overridden and the other not is refused, naming both hosts", async () => {
    for (const env of [
      { RUNPOD_API_BASE_URL: "http://127.0.0.1:8787" },
      { RUNPOD_INVOKE_URL: "http://127.0.0.1:8787" },
    ]) {
      const error = await refusal({ ...KEY, ...env });
      assert.equal(error.code, "usage_error");
      assert.match(error.message, /127\.0\.0\.1:8787/);
      assert.match(error.message, /api\.runpod\.(io|ai) \(not overridden\)/);
    }
  });

  test("a mix of Runpod's platforms is refused", async () => {
    const error = await refusal({ ...KEY, RUNPOD_REST_V2_URL: "https://v2-rest.runpod.dev/v2" });
    assert.match(error.message, /v2-rest\.runpod\.dev.*api\.runpod\.ai/);
  });

  test("two variables of one plane that disagree are refused, naming both", async () => {
    const error = await refusal({
      ...KEY,
      RUNPOD_API_BASE_URL: "https://api.runpod.io",
      RUNPOD_REST_V2_URL: "https://v2-rest.runpod.io/v2",
    });
    assert.match(error.message, /RUNPOD_API_BASE_URL .* and RUNPOD_REST_V2_URL .* disagree/);
  });

  test("Runpod's other hosts, loopback and allowed https hosts pass", async () => {
    for (const base of [
      "http://localhost:1",
      "http://[::1]:1",
      "http://127.9.9.9:1",
      "https://127.0.0.1:1",
    ]) {
      await loadTarget({ env: { ...KEY, ...bases(base) } });
    }
    await loadTarget({ env: { ...KEY, RUNPOD_REST_V2_URL: "https://v2-rest.runpod.io/v2" } });
    const env = { ...KEY, ...bases("https://gateway.example:8443") };
    await loadTarget({ env, allowHosts: ["Gateway.example:8443"] });
    await assert.rejects(loadTarget({ env, allowHosts: ["gateway.example"] }));
    await assert.rejects(
      loadTarget({ env: { ...KEY, ...bases("http://gateway.example") }, allowHosts: ["gateway.example"] }),
    );
  });
});

describe("a proxy of the environment", () => {
  const loopback = { ...KEY, ...bases("http://127.0.0.1:8787"), http_proxy: "http://proxy.example:3128" };
  const obeys = "Deno" in globalThis;

  test("is refused for loopback where the runtime would obey it", async () => {
    if (obeys)
      assert.match((await refusal(loopback)).message, /http_proxy would carry.*set NO_PROXY=127\.0\.0\.1$/);
    else await loadTarget({ env: loopback });
  });

  test("is no matter where NO_PROXY exempts loopback, nor over https", async () => {
    await loadTarget({ env: { ...loopback, NO_PROXY: "localhost, 127.0.0.1" } });
    await loadTarget({ env: { ...KEY, http_proxy: "http://proxy.example:3128" } });
  });
});

describe("the key file", () => {
  test("gives the key in either layout, the top-level one first", async () => {
    for (const text of [
      "apikey = 'rpa_FILE'\ninvokeurl = 'https://api.runpod.ai/v2'\ntimeout = '30s'",
      "ApiKey = 'rpa_FILE'",
      '[default]\napi_key = "rpa_FILE"',
      'apikey = "rpa_FILE"\n[default]\napi_key = "rpa_OTHER"',
    ]) {
      const target = await loadTarget({ env: { HOME: await home(text) } });
      assert.deepEqual([target.key, target.keySource], ["rpa_FILE", "~/.runpod/config.toml"]);
    }
  });

  test("is not opened when the environment has a key", async () => {
    const target = await loadTarget({ env: { ...KEY, HOME: await home("not toml [") } });
    assert.equal(target.key, "rpa_ENV");
  });

  test("brings its addresses along with its key, and the environment wins over them", async () => {
    const text =
      "apikey='rpa_FILE'\nrestv2apiurl='https://v2-rest.runpod.dev/v2'\ninvokeurl='https://dev-api.runpod.ai/v2'";
    const target = await loadTarget({ env: { HOME: await home(text) } });
    assert.deepEqual(
      [target.controlUrl, target.invokeUrl],
      ["https://v2-rest.runpod.dev", "https://dev-api.runpod.ai/v2"],
    );
    assert.equal(
      (await loadTarget({ env: { HOME: await home(text), ...bases("http://127.0.0.1:1") } })).host,
      "127.0.0.1:1",
    );
    assert.equal(
      (await loadTarget({ env: { HOME: await home(text), ...KEY } })).controlUrl,
      "https://api.runpod.io",
    );
  });

  test("that is broken is named only where its key is needed, and its text is never shown", async () => {
    const HOME = await home("ok = 1\napikey = rpa_SECRET");
    const error = await refusal({ HOME });
    assert.equal(error.code, "no_credentials");
    assert.match(error.message, /config\.toml is not valid TOML \(line 2, column \d+\)/);
    assert.ok(!`${error.message}${error.cause}`.includes("SECRET"));
    await loadTarget({ env: { HOME }, requireKey: false });
    await loadTarget({ env: { HOME, RUNPOD_READ_ONLY_API_KEY: "rpa_RO" } });
  });

  test("that cannot be read is named with the reason", async () => {
    const HOME = await home(null);
    await mkdir(join(HOME, ".runpod", "config.toml"), { recursive: true });
    assert.match((await refusal({ HOME })).message, /config\.toml cannot be read \(\w+\)/);
  });

  test("that is absent, or without a key, is no key", async () => {
    for (const HOME of [await home(null), await home("timeout = '30s'"), "/nonexistent"]) {
      const error = await refusal({ HOME });
      assert.equal(error.code, "no_credentials");
      assert.match(error.message, /set RUNPOD_API_KEY/);
      assert.equal((await loadTarget({ env: { HOME }, requireKey: false })).key, "");
    }
  });

  test("with a key that cannot be sent is refused like one of the environment", async () => {
    for (const env of [
      { HOME: await home("apikey = 'rpa_“SECRET'") },
      { RUNPOD_API_KEY: "rpa_SECRET\n" },
      { ...KEY, RUNPOD_READ_ONLY_API_KEY: "“SECRET”" },
    ]) {
      const error = await refusal(env);
      assert.equal(error.code, "no_credentials");
      assert.match(error.message, /character \d+ of \d+/);
      assert.ok(!error.message.includes("SECRET"));
    }
  });
});

describe("environment()", () => {
  test("reads single names where the runtime denies the whole", () => {
    const real = Object.getOwnPropertyDescriptor(process, "env");
    const denied = () => {
      throw new Error("NotCapable");
    };
    const env = new Proxy(
      {},
      { ownKeys: denied, get: (_, name) => (name === "RUNPOD_API_KEY" ? "rpa_ENV" : denied()) },
    );
    Object.defineProperty(process, "env", { value: env, configurable: true, writable: true });
    try {
      assert.equal(environment()["RUNPOD_API_KEY"], "rpa_ENV");
      assert.equal(environment()["HOME"], undefined);
    } finally {
      if (real) Object.defineProperty(process, "env", real);
    }
  });
});

describe("folders", () => {
  test("the history has its own variable, then XDG, then the home folder", () => {
    assert.equal(historyFolder({ READBACK_HISTORY_DIR: "/h", XDG_STATE_HOME: "/x", HOME: "/u" }), "/h");
    assert.equal(historyFolder({ XDG_STATE_HOME: "/x", HOME: "/u" }), "/x/readback/runs");
    assert.equal(historyFolder({ XDG_STATE_HOME: "relative", HOME: "/u" }), "/u/.local/state/readback/runs");
    assert.equal(historyFolder({ HOME: "", USERPROFILE: "C:\\U" }), "C:\\U/.local/state/readback/runs");
  });

  test("paths start where the person stands, also under npm", () => {
    const npm = { INIT_CWD: "/here", npm_lifecycle_event: "readback", npm_package_json: "/pkg/package.json" };
    assert.equal(startFolder(npm, "/pkg"), "/here");
    assert.equal(startFolder({ INIT_CWD: "/here", npm_lifecycle_event: "x" }, "/pkg"), "/here");
    assert.equal(startFolder({ INIT_CWD: "/here" }, "/pkg"), "/pkg");
    assert.equal(startFolder(npm, "/pkg/sub"), "/pkg/sub");
    assert.equal(startFolder({}), process.cwd());
  });
});

describe("VERSION", () => {
  test("is the one of package.json", () => {
    assert.equal(VERSION, manifest.version);
  });
});

function bases(url: string): Environment {
  return { RUNPOD_API_BASE_URL: url, RUNPOD_INVOKE_URL: url };
}

async function home(config: string | null): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "readback-home-"));
  homes.push(folder);
  if (config === null) return folder;
  await mkdir(join(folder, ".runpod"));
  await writeFile(join(folder, ".runpod", "config.toml"), config);
  await chmod(join(folder, ".runpod", "config.toml"), 0o600);
  return folder;
}

async function refusal(env: Environment): Promise<ReadbackError> {
  try {
    await loadTarget({ env });
  } catch (error) {
    if (isReadbackError(error)) return error;
    throw error;
  }
  return assert.fail("was not refused");
}
