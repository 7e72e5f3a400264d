import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import {
  type Answer,
  BAD_GATEWAY,
  endpointText,
  inTurn,
  job,
  NOT_FOUND,
  type Route,
  type Service,
  service,
} from "./_service.ts";
import {
  type Called,
  type CallOptions,
  call,
  ended,
  errorOf,
  sendSignal,
  start,
  temporaryFolder,
} from "./_spawn.ts";

const home = temporaryFolder();
after(() => home.remove());

/** One service for one test, with its routes of the endpoint `ep_a`. */
async function withService<T>(
  routes: Readonly<Record<string, Route | Answer>>,
  work: (at: Service) => Promise<T>,
  control: Readonly<Record<string, Route | Answer>> = {},
): Promise<T> {
  const at = await service(routes, control);
  try {
    return await work(at);
  } finally {
    await at.close();
  }
}

/** Answers the submit after a while of real time. */
function late(ms: number): Route {
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return job("IN_QUEUE");
  };
}

const RUN = ["serverless", "run", "ep_a"];

function run(at: Service, args: readonly string[], options: CallOptions = {}): Promise<Called> {
  return call([...RUN, ...args], { ...options, env: { ...at.env, HOME: home.path } });
}

const INPUT = ["--input", '{"prompt":"hi"}'];
const COMPLETED = job("COMPLETED", { delayTime: 3, executionTime: 40, output: { ok: true }, workerId: "w1" });
const QUEUE = { "POST /ep_a/run": job("IN_QUEUE") };

describe("serverless run", () => {
  test("submits on /run, waits, and prints the last payload alone on stdout", () =>
    withService({ ...QUEUE, "GET /ep_a/status/j1": inTurn(job("IN_PROGRESS"), COMPLETED) }, async (at) => {
      const called = await run(at, [...INPUT, "--yes", "--no-hold"]);
      assert.equal(called.status, 0, called.stderr);
      assert.equal(called.stdout, COMPLETED);
      assert.deepEqual(
        at.changes().map(({ path, body }) => [path, body]),
        [["/ep_a/run", '{"input":{"prompt":"hi"}}']],
      );
      assert.ok(at.invoked().every((line) => !line.includes("runsync")));
    }));

  test("the id is on stderr right after the submit", () =>
    withService({ ...QUEUE, "GET /ep_a/status/j1": null }, async (at) => {
      const called = await run(at, [...INPUT, "--wait", "1s", "--no-hold"]);
      assert.match(
        called.stderr,
        /^job j1 is submitted; look at it with: readback serverless status ep_a j1\n/,
      );
    }));

  test("holds at /status-sync where the service does that", () =>
    withService({ ...QUEUE, "GET /ep_a/status-sync/j1": COMPLETED }, async (at) => {
      assert.equal((await run(at, INPUT)).stdout, COMPLETED);
      assert.deepEqual(at.invoked(), ["POST /ep_a/run", "GET /ep_a/status-sync/j1"]);
    }));

  test("bytes of the input reach the service, and bytes of the output come back", () => {
    const text =
      '{"seed":18446744073709551615,"f":1.0,"gpuTypeId":"x","__proto__":{"a":1},"z":-0.0,"e":1e400}';
    const output = `{"id":"j1","status":"COMPLETED","output":${text}}`;
    return withService({ ...QUEUE, "GET /ep_a/status-sync/j1": output }, async (at) => {
      assert.equal((await run(at, ["--input", text])).stdout, output);
      assert.equal(at.changes()[0]?.body, `{"input":${text}}`);
    });
  });

  test("--no-wait submits, prints the answer and exits 0 after one request, as --wait 0 does", async () => {
    for (const flags of [["--no-wait"], ["--wait", "0"]])
      await withService(QUEUE, async (at) => {
        const called = await run(at, [...INPUT, ...flags]);
        assert.equal(called.status, 0, called.stderr);
        assert.equal(called.stdout, job("IN_QUEUE"));
        assert.deepEqual(at.invoked(), ["POST /ep_a/run"]);
      });
  });

  test("a wait below a millisecond is a wait: it polls, and its budget is spent", () =>
    withService(QUEUE, async (at) => {
      const called = await run(at, [...INPUT, "--wait", "0.2ms"]);
      assert.equal(called.status, 1, called.stderr);
      assert.equal(errorOf(called)["code"], "wait_timeout");
    }));

  test("--no-wait whose submit answers that the job FAILED is job_failed, with the payload", () =>
    withService({ "POST /ep_a/run": job("FAILED", { error: "no GPU memory" }) }, async (at) => {
      const called = await run(at, [...INPUT, "--no-wait"]);
      assert.equal(called.status, 1);
      assert.equal(errorOf(called)["code"], "job_failed");
      assert.match(called.stdout, /"status":"FAILED"/);
    }));

  test("a submit of --no-wait has the whole of its call deadline, and is sent once", () =>
    withService(
      {
        "POST /ep_a/run": late(1800),
      },
      async (at) => {
        assert.equal((await run(at, [...INPUT, "--no-wait"])).status, 0);
        assert.equal(at.changes().length, 1);
      },
    ));

  test("a 200 without a job id is api_error with the payload on stdout, with and without a wait", async () => {
    for (const answer of ['{"status":"IN_QUEUE"}', '{"error":"no capacity"}'])
      for (const flags of [["--no-wait"], ["--wait", "5s"]])
        await withService({ "POST /ep_a/run": answer }, async (at) => {
          const called = await run(at, [...INPUT, ...flags]);
          assert.equal(called.status, 1);
          assert.equal(called.stdout, answer);
          assert.equal(errorOf(called)["code"], "api_error");
          assert.match(String(errorOf(called)["error"]), /without a job id/);
          assert.deepEqual(at.invoked(), ["POST /ep_a/run"]);
        });
  });

  test("a submit whose answer says that the job has ended is not looked at again", () =>
    withService({ "POST /ep_a/run": COMPLETED }, async (at) => {
      assert.equal((await run(at, INPUT)).stdout, COMPLETED);
      assert.deepEqual(at.invoked(), ["POST /ep_a/run"]);
    }));

  test("an id without a status goes on polling", () =>
    withService({ "POST /ep_a/run": '{"id":"j1"}', "GET /ep_a/status/j1": COMPLETED }, async (at) => {
      assert.equal((await run(at, [...INPUT, "--no-hold"])).status, 0);
    }));

  test("a poll with a status and no id keeps the id of the submit", () =>
    withService({ ...QUEUE, "GET /ep_a/status/j1": '{"status":"IN_PROGRESS"}' }, async (at) => {
      const called = await run(at, [...INPUT, "--wait", "2s"]);
      assert.equal(errorOf(called)["followUp"], "readback serverless status ep_a j1");
      assert.ok(
        at
          .invoked()
          .slice(1)
          .every((line) => line.endsWith("/j1")),
      );
    }));

  test("a FAILED job is job_failed, exit 1, with its payload on stdout and its words on stderr", () => {
    const failed = job("FAILED", { error: "name 'app' is not defined", executionTime: 97, input: { a: 1 } });
    return withService({ ...QUEUE, "GET /ep_a/status-sync/j1": failed }, async (at) => {
      const called = await run(at, INPUT);
      assert.equal(called.status, 1);
      assert.equal(called.stdout, failed);
      assert.equal(errorOf(called)["code"], "job_failed");
      assert.match(String(errorOf(called)["error"]), /name 'app' is not defined/);
    });
  });

  for (const state of ["CANCELLED", "TIMED_OUT", "failed"])
    test(`${state} ends a wait at the first reply as job_failed`, () =>
      withService({ ...QUEUE, "GET /ep_a/status-sync/j1": job(state) }, async (at) => {
        assert.equal(errorOf(await run(at, INPUT))["code"], "job_failed");
        assert.equal(at.invoked().length, 2);
      }));

  test("one dropped poll does not end a wait, and each outage is told once", () =>
    withService(
      {
        ...QUEUE,
        "GET /ep_a/status/j1": inTurn(
          job("IN_QUEUE"),
          BAD_GATEWAY,
          BAD_GATEWAY,
          job("IN_PROGRESS"),
          COMPLETED,
        ),
      },
      async (at) => {
        const called = await run(at, [...INPUT, "--wait", "60s", "--no-hold"]);
        assert.equal(called.status, 0, called.stderr);
        assert.equal(called.stderr.match(/a read failed, trying again/g)?.length, 1);
        assert.equal(at.changes().length, 1);
      },
    ));

  test("a wait whose budget is spent is wait_timeout, with the last payload and the command that follows", () =>
    withService({ ...QUEUE, "GET /ep_a/status/j1": job("IN_PROGRESS") }, async (at) => {
      const called = await run(at, [...INPUT, "--wait", "1500ms"]);
      assert.equal(called.status, 1);
      assert.equal(called.stdout, job("IN_PROGRESS"));
      assert.equal(errorOf(called)["code"], "wait_timeout");
      const follow = String(errorOf(called)["followUp"]).split(" ").slice(1);
      assert.equal((await call(follow, { env: at.env })).stdout, job("IN_PROGRESS"));
    }));

  test("at most 25 requests in 10 s go out, whatever the service answers at once", () =>
    withService(
      { ...QUEUE, "GET /ep_a/status/j1": job("IN_QUEUE"), "GET /ep_a/status-sync/j1": job("IN_QUEUE") },
      async (at) => {
        await run(at, [...INPUT, "--wait", "4s"]);
        assert.ok(at.invoked().length <= 11, `${at.invoked().length}`);
        assert.ok(at.invoked().every((line) => !line.includes("undefined")));
      },
    ));
});

describe("serverless run against a service that hangs", () => {
  const took = async (work: () => Promise<Called>): Promise<Called & { tookMs: number }> => {
    const startedMs = Date.now();
    return { ...(await work()), tookMs: Date.now() - startedMs };
  };

  test("on everything: --wait 3s returns within 4.5 s, and nothing was submitted", () =>
    withService(
      {},
      async (at) => {
        const called = await took(() => run(at, [...INPUT, "--wait", "3s"]));
        assert.ok(called.tookMs < 4500, `${called.tookMs} ms`);
        assert.equal(errorOf(called)["code"], "wait_timeout");
        assert.equal(errorOf(called)["retryable"], true);
        assert.match(String(errorOf(called)["error"]), /nothing was submitted$/);
        assert.deepEqual(at.changes(), []);
      },
      { "GET /v2/serverless/ep_a": null },
    ));

  test("on status: --wait 3s returns within 4.5 s as wait_timeout, and the last failure is a note", () =>
    withService({ ...QUEUE, "GET /ep_a/status/j1": null, "GET /ep_a/status-sync/j1": null }, async (at) => {
      const called = await took(() => run(at, [...INPUT, "--wait", "3s"]));
      assert.ok(called.tookMs < 4500, `${called.tookMs} ms`);
      assert.equal(errorOf(called)["code"], "wait_timeout");
      assert.equal(called.stdout, job("IN_QUEUE"));
      assert.match(called.stderr, /^the last read failed: /m);
    }));

  test("on status: --wait 100ms returns within 1.5 s", () =>
    withService({ ...QUEUE, "GET /ep_a/status/j1": null, "GET /ep_a/status-sync/j1": null }, async (at) => {
      const called = await took(() => run(at, [...INPUT, "--wait", "100ms"]));
      assert.ok(called.tookMs < 1500, `${called.tookMs} ms`);
      assert.match(String(errorOf(called)["error"]), /after 100ms/);
    }));

  test("on the submit: the job id is unknown, it must not be repeated blindly, and it is sent once", () =>
    withService({ "POST /ep_a/run": null }, async (at) => {
      const called = await took(() => run(at, [...INPUT, "--wait", "2s"]));
      assert.ok(called.tookMs < 3500, `${called.tookMs} ms`);
      const error = errorOf(called);
      assert.equal(error["code"], "call_timeout");
      assert.equal(error["retryable"], false);
      assert.equal((error["details"] as Record<string, unknown>)["submitted"], "unknown");
      assert.match(String(error["error"]), /the job id is unknown.*must not be repeated blindly/);
      assert.equal(error["followUp"], "readback serverless health ep_a");
      assert.equal(at.changes().length, 1);
    }));

  test("on the submit: --wait 100ms returns within 1.5 s", () =>
    withService({ "POST /ep_a/run": null }, async (at) => {
      const called = await took(() => run(at, [...INPUT, "--wait", "100ms"]));
      assert.ok(called.tookMs < 1500, `${called.tookMs} ms`);
      assert.equal(at.changes().length, 1);
    }));
});

describe("serverless run against a service that says wait", () => {
  for (const seconds of [1, 10])
    test(`429 to every submit, for ${seconds} s each: wait_timeout within the budget, nothing was submitted`, () =>
      withService(
        { "POST /ep_a/run": { status: 429, body: "{}", headers: { "retry-after": `${seconds}` } } },
        async (at) => {
          const called = await run(at, [...INPUT, "--wait", "2s"]);
          const error = errorOf(called);
          assert.deepEqual([called.status, error["code"], error["retryable"]], [1, "wait_timeout", true]);
          assert.match(
            String(error["error"]),
            /within the 2s to wait, before a job was submitted .*; nothing was submitted$/,
          );
          assert.match(called.stderr, /^Cannot submit a job .*rate limit/m);
          assert.ok(at.changes().length <= 3, `${at.changes().length}`);
        },
      ));

  test("429 to everything for 5 s: at most 8 requests by then, Retry-After obeyed, and the job is submitted", async () => {
    const startedMs = Date.now();
    const busy =
      (then: string): Route =>
      () =>
        Date.now() - startedMs < 5000 ? { status: 429, body: "{}", headers: { "retry-after": "1" } } : then;
    await withService(
      { "POST /ep_a/run": busy(job("IN_QUEUE")), "GET /ep_a/status-sync/j1": busy(COMPLETED) },
      async (at) => {
        const called = await run(at, [...INPUT, "--wait", "30s"]);
        assert.equal(called.status, 0, called.stderr);
        const early = at.arrivals.filter(({ atMs }) => atMs - startedMs < 5000);
        assert.ok(early.length <= 8, `${early.length} requests`);
        for (const [i, { atMs }] of early.entries())
          assert.ok(i === 0 || atMs - (early[i - 1]?.atMs ?? 0) >= 990);
      },
      { "GET /v2/serverless/ep_a": busy(endpointText()) },
    );
  });

  test("a submit that the rate limit turned away is sent again; one that was answered 500 is not", async () => {
    await withService(
      { "POST /ep_a/run": inTurn({ status: 429, body: "{}" }, job("IN_QUEUE")) },
      async (at) => {
        assert.equal((await run(at, [...INPUT, "--no-wait"])).status, 0);
        assert.equal(at.changes().length, 2);
      },
    );
    await withService({ "POST /ep_a/run": { status: 500, body: "{}" } }, async (at) => {
      const error = errorOf(await run(at, [...INPUT, "--no-wait"]));
      assert.equal(error["code"], "server_error");
      assert.equal(error["retryable"], false);
      assert.equal(at.changes().length, 1);
    });
  });
});

describe("the input of serverless run", () => {
  /** Lines that must not cause one request. */
  const WRONG: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /give --input JSON, --input-file PATH or --body-file PATH/],
    [["--input", "null"], /--input must be a JSON object, and is null/],
    [["--input", "42"], /must be a JSON object/],
    [["--input", "[1]"], /must be a JSON object/],
    [["--input", '{"a":1} x'], /--input is not JSON/],
    [["--input", "{prompt:hi,steps:4}"], /typical of PowerShell/],
    [["--input", "{}", "--input-file", "x"], /--input and --input-file exclude each other/],
    [["--input-file", "no-such.json"], /Cannot read --input-file no-such\.json: there is no such file/],
    [["--input-file", "empty.json"], /--input-file is empty/],
    [["--input-file", "latin1.json"], /is not UTF-8 text/],
    [["--input-file", "."], /it is a folder/],
    [["--body-file", "timeout.json"], /unknown envelope keys: "timeout".*--wait 60s/],
    [["--body-file", "body.json", "--webhook", "https://x"], /--webhook and --body-file exclude each other/],
    [["--input", "{}", "--no-wait", "--wait", "10m"], /--no-wait and --wait exclude each other/],
    [["--input", "{}", "--wait", "10m", "--no-wait"], /--no-wait and --wait exclude each other/],
    [["--input", "{}", "--wait=-5s"], /--wait "-5s": expected a duration/],
    [["--input", "{}", "--wait", "29"], /the unit is missing/],
    [["--input", "{}", "--ttl", "30"], /--ttl "30".*the unit is missing/],
    [["--input", "{}", "--ttl", "1s"], /The ttl is 1000 ms; the service takes 10 s to 7 d/],
    [["--input", "{}", "--webhook", "ftp://x"], /no http or https URL/],
    [["--input", "{}", "-o", "xml"], /--output "xml": expected json or yaml/],
    [
      ["--input-file", "large.json"],
      /is too large: the request would be \d+ bytes long.*10 MiB.*pass its URL/,
    ],
  ];
  const folder = temporaryFolder();
  let at: Service;
  before(async () => {
    at = await service({ ...QUEUE, "GET /ep_a/status-sync/j1": COMPLETED });
    const write = (name: string, text: string | Uint8Array): void =>
      writeFileSync(join(folder.path, name), text);
    write("empty.json", " \n");
    write("latin1.json", new Uint8Array([0x7b, 0xe9, 0x7d]));
    write("body.json", '{ "input": {"a": 1.0}, "policy": {"ttl": 60000} }');
    write("timeout.json", '{"input":{"p":1},"timeout":60000}');
    write("input.json", '\ufeff{"prompt": "x"}\n');
    write("s3.json", '{"accessId":"AK","accessSecret":"SECRET","bucketName":"b","endpointUrl":"https://s3"}');
    write("large.json", `{"a":"${"é".repeat(5_300_000)}"}`);
    write("pretty.json", `{${`\n${" ".repeat(31)}`.repeat(100_000)}"a":"${"x".repeat(9_900_000)}"}`);
  });
  after(async () => {
    await at.close();
    folder.remove();
  });
  const here = (args: readonly string[], options: CallOptions = {}) =>
    run(at, args, { cwd: folder.path, ...options });
  const last = () => at.changes().at(-1)?.body;

  for (const [args, message] of WRONG)
    test(`${args.join(" ").slice(0, 60) || "none"} is a usage error without a request`, async () => {
      const from = at.arrivals.length;
      const called = await here(args);
      assert.equal(called.status, 2, called.stderr);
      assert.equal(called.stdout, "");
      assert.equal(errorOf(called)["code"], "usage_error");
      assert.match(String(errorOf(called)["error"]), message);
      assert.equal(at.arrivals.length, from);
    });

  test("comes from a file, without its byte order mark and insignificant white space", async () => {
    assert.equal((await here(["--input-file", "input.json"])).status, 0);
    assert.equal(last(), '{"input":{"prompt":"x"}}');
  });

  test("comes from stdin with --input - and --input-file -", async () => {
    for (const flag of ["--input", "--input-file"]) {
      const child = start([...RUN, flag, "-"], { env: at.env, stdin: "open" });
      const done = ended(child);
      child.stdin?.end('{"from": "stdin"}');
      assert.equal((await done).status, 0);
      assert.equal(last(), '{"input":{"from":"stdin"}}');
    }
  });

  test("--input - says after 2 s that it waits for stdin, and goes on waiting", async () => {
    const child = start([...RUN, "--input", "-"], { env: at.env, stdin: "open" });
    const done = ended(child);
    await new Promise<void>((resolve) =>
      child.stderr?.on("data", (text: string) => text.includes("waiting for the end of stdin") && resolve()),
    );
    child.stdin?.end('{"a":1}');
    assert.equal((await done).status, 0);
  });

  test("without --input - stdin is not read: an open pipe does not hold the command up", async () => {
    assert.equal((await here(INPUT, { stdin: "open" })).status, 0);
  });

  test("a whole envelope is sent as it is written", async () => {
    assert.equal((await here(["--body-file", "body.json"])).status, 0);
    assert.equal(last(), '{"input":{"a":1.0},"policy":{"ttl":60000}}');
  });

  test("flags make webhook, policy and s3Config, in milliseconds, beside the input", async () => {
    const called = await here([
      ...INPUT,
      ...["--webhook", "https://hooks.example/x", "--execution-timeout", "15m", "--ttl", "2h"],
      ...["--low-priority", "--s3-config", "s3.json"],
    ]);
    assert.equal(called.status, 0, called.stderr);
    assert.deepEqual(JSON.parse(last() ?? ""), {
      input: { prompt: "hi" },
      webhook: "https://hooks.example/x",
      policy: { executionTimeout: 900_000, ttl: 7_200_000, lowPriority: true },
      s3Config: { accessId: "AK", accessSecret: "SECRET", bucketName: "b", endpointUrl: "https://s3" },
    });
    assert.doesNotMatch(called.stderr, /SECRET/);
  });

  test("of a webhook only the origin is shown and recorded: any other part can hold a token", async () => {
    const words = [...INPUT, "--webhook", "https://u:PW-TOKEN@hooks.example/T0/PATH-TOKEN?t=QUERY-TOKEN"];
    const shown = [await here(words), await here([...words, "--dry-run"])];
    shown.push(await here([...words, "--dry-run", "--json"]));
    assert.match(shown.map(({ stdout }) => stdout).join(), /"webhook": "https:\/\/hooks.example\/\*\*\*"/);
    const runs = join(home.path, ".local/state/readback/runs");
    const recorded = readdirSync(runs).map((name) => readFileSync(join(runs, name), "utf8"));
    const texts = [...shown.flatMap(({ stdout, stderr }) => [stdout, stderr]), ...recorded];
    for (const text of texts) assert.doesNotMatch(text, /-TOKEN/);
  });

  test("a pretty-printed 13 MiB file that is 9.9 MB when compact is accepted", async () => {
    const called = await here(["--input-file", "pretty.json"]);
    assert.equal(called.status, 0, called.stderr);
    assert.equal(last()?.length, '{"input":{"a":""}}'.length + 9_900_000);
  });

  test("an envelope in the input is sent as it is, with one warning that names the keys and the flags", async () => {
    const called = await here(["--input", '{"input":{"p":1},"policy":{"ttl":60000},"webhook":"x"}']);
    assert.equal(called.status, 0);
    assert.equal(last(), '{"input":{"input":{"p":1},"policy":{"ttl":60000},"webhook":"x"}}');
    const [warning = ""] = called.stderr.split("\n").filter((line) => line.includes("inside the input"));
    for (const name of ["policy", "webhook", "--ttl", "--webhook", "--body-file"])
      assert.ok(warning.includes(name));
    assert.equal(called.stderr.match(/inside the input/g)?.length, 1);
  });

  test("an empty input is sent with one warning", async () => {
    const called = await here(["--input", "{}"]);
    assert.equal(last(), '{"input":{}}');
    assert.equal(called.stderr.match(/the input is empty/g)?.length, 1);
  });

  test("a ttl shorter than the execution timeout is warned of", async () => {
    const called = await here([...INPUT, "--ttl", "10m", "--execution-timeout", "15m"]);
    assert.match(called.stderr, /may be deleted while running/);
  });

  test("when --wait exceeds the job's execution timeout, one note names both", async () => {
    const called = await here([...INPUT, "--wait", "15m"]);
    assert.equal(called.stderr.match(/--wait 15m .*img's execution timeout is 10m/g)?.length, 1);
    const own = await here([...INPUT, "--wait", "15m", "--execution-timeout", "30s"]);
    assert.match(own.stderr, /--wait 15m .*the job's own execution timeout is 30s/);
    const within = await here([...INPUT, "--wait", "15m", "--execution-timeout", "1h"]);
    assert.doesNotMatch(within.stderr, /execution timeout/);
  });
});

describe("a COMPLETED job of serverless run", () => {
  const ends = (payload: string, args: readonly string[]): Promise<Called> =>
    withService({ ...QUEUE, "GET /ep_a/status-sync/j1": payload }, (at) => run(at, [...INPUT, ...args]));

  test("with an error object in its output is exit 0 with one warning, and job_failed when asked", async () => {
    const payload = job("COMPLETED", { output: { error: { msg: "node 5 failed" } } });
    const called = await ends(payload, []);
    assert.equal(called.status, 0);
    assert.equal(called.stdout, payload);
    assert.match(called.stderr, /^WARN job j1 is COMPLETED, but its output holds an error$/m);
    const strict = await ends(payload, ["--fail-on-output-error"]);
    assert.equal(strict.status, 1);
    assert.equal(strict.stdout, payload);
    assert.equal(errorOf(strict)["code"], "job_failed");
  });

  test("without an output names the stream", async () => {
    const called = await ends(job("COMPLETED"), []);
    assert.equal(called.status, 0);
    assert.match(called.stderr, /readback serverless stream ep_a j1$/m);
  });

  test("of 3 MB passes whole through a pipe, exit 0", async () => {
    const payload = job("COMPLETED", { output: "x".repeat(3_000_000) });
    const called = await ends(payload, []);
    assert.equal(called.status, 0);
    assert.equal(called.stdout.length, payload.length);
  });
});

describe("an interrupt of serverless run", () => {
  const interrupted = async (
    at: Service,
    args: readonly string[],
    when: { line: string; signal: "SIGINT" | "SIGTERM" },
  ): Promise<Called> => {
    const child = start([...RUN, ...INPUT, ...args], { env: { ...at.env, HOME: home.path } });
    const done = ended(child);
    await at.seen(when.line);
    sendSignal(child, when.signal);
    return await done;
  };

  for (const [signal, exit] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)
    test(`${signal} during the wait: the job runs on, its id and the follow-up are printed, exit ${exit}`, () =>
      withService({ ...QUEUE, "GET /ep_a/status-sync/j1": null }, async (at) => {
        const called = await interrupted(at, [], { line: "GET /ep_a/status-sync", signal });
        assert.equal(called.status, exit, called.stderr);
        const error = errorOf(called);
        assert.equal(error["code"], "interrupted");
        assert.match(String(error["error"]), /job j1 goes on/);
        assert.equal(error["followUp"], "readback serverless status ep_a j1");
        assert.equal(at.changes().length, 1);
      }));

  test("during the submit: exit 130, the outcome unknown, one request", () =>
    withService({ "POST /ep_a/run": null }, async (at) => {
      const called = await interrupted(at, [], { line: "POST /ep_a/run", signal: "SIGINT" });
      assert.equal(called.status, 130, called.stderr);
      assert.match(String(errorOf(called)["error"]), /Sent, with unknown outcome.*the job id is unknown/);
      assert.equal((errorOf(called)["details"] as Record<string, unknown>)["submitted"], "unknown");
      assert.equal(at.changes().length, 1);
    }));

  test("during the submit, with an answer on the way: the id is not lost", () =>
    withService(
      {
        "POST /ep_a/run": late(500),
      },
      async (at) => {
        const called = await interrupted(at, [], { line: "POST /ep_a/run", signal: "SIGINT" });
        assert.equal(called.status, 130, called.stderr);
        assert.equal(errorOf(called)["followUp"], "readback serverless status ep_a j1");
      },
    ));

  test("--cancel-on-interrupt sends one cancel, proves it by a fresh read, and exits 130", () => {
    let cancelled = false;
    return withService(
      {
        ...QUEUE,
        "GET /ep_a/status-sync/j1": null,
        "GET /ep_a/status/j1": () => job(cancelled ? "CANCELLED" : "IN_PROGRESS"),
        "POST /ep_a/cancel/j1": () => {
          cancelled = true;
          return job("CANCELLED");
        },
      },
      async (at) => {
        const when = { line: "GET /ep_a/status-sync", signal: "SIGINT" } as const;
        const startedMs = Date.now();
        const called = await interrupted(at, ["--cancel-on-interrupt"], when);
        assert.ok(Date.now() - startedMs < 4000, "it ends when that is done");
        assert.equal(called.status, 130, called.stderr);
        assert.match(String(errorOf(called)["error"]), /job j1 is cancelled: a fresh read says so/);
        assert.deepEqual(
          at.changes().map(({ path }) => path),
          ["/ep_a/run", "/ep_a/cancel/j1"],
        );
        assert.equal(at.invoked().at(-1), "GET /ep_a/status/j1");
      },
    );
  });

  test("--cancel-on-interrupt against a service that hangs gives up within 5 s and says so", () =>
    withService({ ...QUEUE, "GET /ep_a/status-sync/j1": null, "GET /ep_a/status/j1": null }, async (at) => {
      const startedMs = Date.now();
      const when = { line: "GET /ep_a/status-sync", signal: "SIGINT" } as const;
      const called = await interrupted(at, ["--cancel-on-interrupt"], when);
      assert.ok(Date.now() - startedMs < 7500);
      assert.equal(called.status, 130, called.stderr);
      assert.match(String(errorOf(called)["error"]), /could not be cancelled/);
    }));

  test("--cancel-on-interrupt sends its one cancel although the status hangs, and claims no more than it knows", () =>
    withService(
      {
        ...QUEUE,
        "GET /ep_a/status-sync/j1": null,
        "GET /ep_a/status/j1": null,
        "POST /ep_a/cancel/j1": job("CANCELLED"),
      },
      async (at) => {
        const when = { line: "GET /ep_a/status-sync", signal: "SIGINT" } as const;
        const startedMs = Date.now();
        const called = await interrupted(at, ["--cancel-on-interrupt"], when);
        assert.ok(Date.now() - startedMs < 7500);
        assert.equal(called.status, 130, called.stderr);
        assert.deepEqual(
          at.changes().map(({ path }) => path),
          ["/ep_a/run", "/ep_a/cancel/j1"],
        );
        const error = errorOf(called);
        assert.match(String(error["error"]), /the cancel was sent, and no read proves it/);
        assert.doesNotMatch(String(error["error"]), /goes on|is cancelled/);
        assert.equal(error["followUp"], "readback serverless status ep_a j1");
      },
    ));

  test("a second Ctrl-C ends at once", () =>
    withService({ "POST /ep_a/run": null }, async (at) => {
      const child = start([...RUN, ...INPUT], { env: at.env });
      const done = ended(child);
      await at.seen("POST /ep_a/run");
      const startedMs = Date.now();
      sendSignal(child, "SIGINT");
      setTimeout(() => sendSignal(child, "SIGINT"), 200);
      assert.equal((await done).status, 130);
      assert.ok(Date.now() - startedMs < 1500);
    }));

  test("of a dry run sends nothing, also with --cancel-on-interrupt", () =>
    withService({ "GET /ep_a/health": null }, async (at) => {
      const args = ["--dry-run", "--cancel-on-interrupt"];
      const called = await interrupted(at, args, { line: "GET /ep_a/health", signal: "SIGINT" });
      assert.equal(called.status, 130, called.stderr);
      assert.deepEqual(at.changes(), []);
    }));
});

describe("serverless run is a recipe in disguise", () => {
  test("--dry-run previews the submit and sends no POST", () =>
    withService({ "GET /ep_a/health": '{"jobs":{"inQueue":3},"workers":{}}' }, async (at) => {
      const called = await run(at, [...INPUT, "--dry-run"]);
      assert.equal(called.status, 0, called.stderr);
      assert.match(called.stdout, /^PREVIEW, nothing sent .* serverless-run may change: run$/m);
      assert.match(called.stdout, /bills its worker's time/);
      assert.match(called.stdout, /Apply it: readback serverless run ep_a --input '\{"prompt":"hi"\}'\n$/);
      const json = JSON.parse((await run(at, [...INPUT, "--dry-run", "--json"])).stdout);
      assert.deepEqual(json.mutations[0].request.body, { input: { prompt: "hi" } });
      assert.deepEqual(at.changes(), []);
    }));

  test("a submit is in the history, without any key", () =>
    withService({ ...QUEUE, "GET /ep_a/status-sync/j1": COMPLETED }, async (at) => {
      const folder = temporaryFolder();
      try {
        const env = { ...at.env, HOME: folder.path, READBACK_HISTORY_DIR: join(folder.path, "runs") };
        await call([...RUN, ...INPUT], { env });
        const [file = ""] = readdirSync(join(folder.path, "runs"));
        assert.ok(!readFileSync(join(folder.path, "runs", file), "utf8").includes("rpa_"));
        const { runs } = JSON.parse((await call(["history", "--json"], { env })).stdout);
        assert.deepEqual(
          runs.map((one: Record<string, unknown>) => [one["recipe"], one["outcome"]]),
          [["serverless-run", "applied"]],
        );
      } finally {
        folder.remove();
      }
    }));

  test("a load balancer endpoint is a usage error, with where to call, and nothing sent", () =>
    withService(
      {},
      async (at) => {
        const called = await run(at, INPUT);
        assert.equal(called.status, 2);
        assert.match(
          String(errorOf(called)["error"]),
          /load-balancer endpoint: no queue; call https:\/\/lb\/<path>/,
        );
        assert.deepEqual(at.changes(), []);
      },
      {
        "GET /v2/serverless/ep_a": endpointText({
          type: "LOAD_BALANCER",
          requestUrls: { base: "https://lb" },
        }),
      },
    ));

  test("an unknown endpoint is not_found, and nothing is sent", () =>
    withService({}, async (at) => {
      const called = await call(["serverless", "run", "nobody", ...INPUT], { env: at.env });
      assert.equal(errorOf(called)["code"], "not_found");
      assert.deepEqual(at.changes(), []);
    }));

  test("a recipe's name in the endpoint's place names both commands, and so does a job given to run", async () => {
    const recipe = await call(["serverless", "run", "pin-gpu", "ep1", "--gpu", "X"]);
    assert.equal(recipe.status, 2);
    assert.match(
      String(errorOf(recipe)["error"]),
      /run by: readback run pin-gpu ep1 --gpu X; a job is submitted by: readback serverless run/,
    );
    const submitted = await call(["run", "ep1", "--input", "{}"]);
    assert.equal(submitted.status, 2);
    assert.match(
      String(errorOf(submitted)["error"]),
      /submitted by: readback serverless run ep1 --input .\{\}.; a recipe is run by: readback run/,
    );
  });

  test("different ends have different codes", async () => {
    const codes = new Set<unknown>();
    const add = async (
      routes: Readonly<Record<string, Route | Answer>>,
      args: readonly string[],
      control: Readonly<Record<string, Route | Answer>> = {},
    ): Promise<void> =>
      withService(routes, async (at) => void codes.add(errorOf(await run(at, args))["code"]), control);
    await add({ ...QUEUE, "GET /ep_a/status-sync/j1": job("FAILED") }, INPUT);
    await add({ ...QUEUE, "GET /ep_a/status/j1": job("IN_QUEUE") }, [...INPUT, "--wait", "600ms"]);
    await add({ "POST /ep_a/run": NOT_FOUND }, INPUT);
    await add({ "POST /ep_a/run": { status: 401, body: "{}" } }, INPUT);
    await add({}, ["--input", "x"]);
    assert.deepEqual([...codes], ["job_failed", "wait_timeout", "not_found", "unauthorized", "usage_error"]);
  });
});
