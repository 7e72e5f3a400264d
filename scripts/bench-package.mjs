// Start-up of what is shipped, over bare scripts that make the same request: the built package on Node 24, and the
// standalone program over Bun. All are measured in one run, in turn, and compared by their medians.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { plainEnv } from "./_checks.mjs";
import { temporaryFolder } from "./_folder.mjs";
import { ROOT, run } from "./_process.mjs";
import { programOf } from "./_suite.mjs";

const ROUNDS = 41;
const WARM_UP = 3;
const GET = ["serverless", "get", "4m7x2k9q"];
const HIGHEST_RATIO = { package: 1.35, standalone: 3 };

for (const script of ["build.mjs", "standalone.mjs"])
  await run([process.execPath, join(ROOT, "scripts", script)], { show: () => null });

const { path: folder, remove } = temporaryFolder("bench");
const bare = join(folder, "bare.mjs");
writeFileSync(bare, bareScript());
const server = createServer((_, response) => {
  response.setHeader("content-type", "application/json");
  response.end('{"id":"4m7x2k9q","name":"image-generator"}');
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const url = `http://127.0.0.1:${server.address().port}`;
const env = {
  ...plainEnv(),
  ...{ HOME: folder, RUNPOD_API_BASE_URL: url, RUNPOD_INVOKE_URL: url, RUNPOD_API_KEY: "rpa_bench" },
};

const commands = {
  node: [programOf("node"), bare],
  package: [programOf("node"), join(ROOT, "dist/bin/readback.js"), ...GET],
  bun: [programOf("bun"), bare],
  standalone: [join(ROOT, "dist/standalone/readback"), ...GET],
};
const times = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
for (let round = -WARM_UP; round < ROUNDS; round++) {
  for (const [name, command] of Object.entries(commands)) {
    const ms = await timeMs(command);
    if (round >= 0) times[name].push(ms);
  }
}
server.close();
server.closeAllConnections();
await remove();
tell("package", "node");
tell("standalone", "bun");

function tell(name, over) {
  const [own, alone] = [median(times[name]), median(times[over])];
  const ratio = own / alone;
  const fine = ratio <= HIGHEST_RATIO[name];
  console.log(
    `${name} ${own.toFixed(1)} ms over bare ${over} ${alone.toFixed(1)} ms: ${ratio.toFixed(2)}, at most ${HIGHEST_RATIO[name]}: ${fine ? "fine" : "too slow"}`,
  );
  if (!fine) process.exitCode = 1;
}

/** In milliseconds, from the start of the process to its end. */
function timeMs([program, ...args]) {
  const start = performance.now();
  return new Promise((done, fail) => {
    const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
    });
    child.on("error", fail);
    child.on("close", (status) => {
      if (status === 0 && text.includes("4m7x2k9q")) done(performance.now() - start);
      else fail(new Error(`${program} ${args.join(" ")} ended with ${status}`));
    });
  });
}

function bareScript() {
  return `const response = await fetch(process.env.RUNPOD_API_BASE_URL + "/v2/serverless/4m7x2k9q", {
  headers: { authorization: "Bearer " + process.env.RUNPOD_API_KEY },
});
console.log(await response.text());
`;
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
