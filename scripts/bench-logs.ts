// Logs: `readback serverless logs` over a loopback server that sends as fast as it is read, into a pipe. How many lines
// a second, and how much more memory ten times as many lines take.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const LINES = 100_000;
const LOWEST_LINES_PER_SECOND = 50_000;
const MOST_GROWTH_MIB = 32;
const CLI = new URL("../bin/readback.ts", import.meta.url).pathname;

if (import.meta.main) serveLines(); // this file is the server's process too

/** @returns whether it was fast enough and took no more memory */
export async function benchLogs(): Promise<boolean> {
  const child = Bun.spawn([process.execPath, import.meta.path], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const { value } = await child.stdout.getReader().read();
  const url = new TextDecoder().decode(value).trim();
  const env = {
    RUNPOD_API_BASE_URL: url,
    RUNPOD_INVOKE_URL: url,
    RUNPOD_API_KEY: "bench",
    PATH: process.env.PATH ?? "",
  };
  const read = (lines: number) => readLines(env, lines);
  await read(LINES / 10); // warm
  const few = await read(LINES);
  const many = await read(LINES * 10);
  child.kill();
  const perSecond = LINES / few.seconds;
  const growthMiB = many.peakMiB - few.peakMiB;
  console.log(
    `serverless logs          ${Math.round(perSecond)} lines/s over ${LINES}, at least ${LOWEST_LINES_PER_SECOND}`,
  );
  console.log(
    `peak memory              ${few.peakMiB.toFixed(0)} MiB for ${LINES} lines, ${many.peakMiB.toFixed(0)} MiB for ${LINES * 10}`,
  );
  return perSecond >= LOWEST_LINES_PER_SECOND && growthMiB <= MOST_GROWTH_MIB;
}

/** The whole program, its start included. */
async function readLines(
  env: Record<string, string>,
  lines: number,
): Promise<{ seconds: number; peakMiB: number }> {
  const start = performance.now();
  const command = [
    process.execPath,
    CLI,
    "serverless",
    "logs",
    "ep1",
    "--worker",
    `w${lines}`,
    "--max-wait",
    "5m",
  ];
  const child = Bun.spawn(command, { env, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
  let seen = 0;
  for await (const chunk of child.stdout) for (const byte of chunk) if (byte === 10) seen += 1;
  const status = await child.exited;
  if (status !== 0 || seen !== lines) throw new Error(`${seen} lines of ${lines}, exit ${status}`);
  const peakMiB = (child.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024;
  return { seconds: (performance.now() - start) / 1000, peakMiB };
}

/** The worker's id says how many lines it has. */
function serveLines(): void {
  const server = createServer((request, response) => {
    const lines = Number(/\/w(\d+)\/logs/.exec(request.url ?? "")?.[1] ?? 0);
    response.writeHead(200, { "content-type": "text/event-stream" });
    void send(
      lines,
      (text) =>
        new Promise((resolve) => (response.write(text) ? resolve() : response.once("drain", resolve))),
    ).then(() => response.end());
  });
  server.listen(0, "127.0.0.1", () =>
    console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
}

async function send(lines: number, write: (text: string) => Promise<void>): Promise<void> {
  const startMs = Date.UTC(2026, 7, 6);
  for (let sent = 0; sent < lines; ) {
    let text = "";
    for (let i = 0; i < 200 && sent < lines; i++, sent++) {
      const ts = new Date(startMs + sent).toISOString().replace("Z", "039264Z");
      const line = `{\\"requestId\\": null, \\"message\\": \\"step ${sent} of the work\\", \\"level\\": \\"INFO\\"}`;
      text += `id: ${ts}\ndata: {"source":"container","line":"${line}","ts":"${ts}"}\n\n`;
    }
    await write(text);
  }
}
