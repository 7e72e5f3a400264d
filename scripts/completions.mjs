// Presses Tab in real shells, in a terminal of tmux. Without tmux there is nothing to check; test/cli/completions.test.ts
// asks the scripts themselves.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createChecks, plainEnv } from "./_checks.mjs";
import { temporaryFolder } from "./_folder.mjs";
import { ROOT, run } from "./_process.mjs";
import { programOf } from "./_suite.mjs";

/** How each shell starts without anybody's settings, and how it takes the script. */
const SHELLS = {
  bash: { start: "bash --norc --noprofile", source: 'eval "$(readback completions bash)"' },
  zsh: { start: "zsh -f", source: 'autoload -U compinit && compinit -u; eval "$(readback completions zsh)"' },
  fish: { start: "fish --no-config", source: "readback completions fish | source" },
};

/** What is typed before Tab, and how the line reads then. */
const LINES = [
  ["readback run pin-g", "readback run pin-gpu"],
  ["readback run pin-gpu image-generator --gp", "readback run pin-gpu image-generator --gpu"],
  ["readback run set-m", "readback run set-max"],
  ["readback serverless g", "readback serverless get"],
];

const here = [];
for (const program of ["tmux", ...Object.keys(SHELLS)])
  if ((await run(["sh", "-c", `command -v ${program}`], { show: () => null })).status === 0)
    here.push(program);

if (here.includes("tmux")) await check();
else console.log("completions: tmux is not there, nothing to check");

async function check() {
  const checks = createChecks("completions");
  const { path: folder, remove } = temporaryFolder("tab");
  mkdirSync(join(folder, "recipes"));
  writeFileSync(join(folder, "recipes/set-max.ts"), "");
  writeFileSync(join(folder, "readback.config.json"), '{ "recipes": ["recipes"] }');
  const program = `#!/bin/sh\nexec "${programOf("bun")}" "${join(ROOT, "bin/readback.ts")}" "$@"\n`;
  writeFileSync(join(folder, "readback"), program);
  chmodSync(join(folder, "readback"), 0o755);
  for (const [name, shell] of Object.entries(SHELLS)) {
    if (here.includes(name)) await checkShell(checks, name, { ...shell, folder });
    else console.log(`completions: ${name} is not there`);
  }
  await remove();
  checks.close();
}

async function checkShell(checks, name, { start, source, folder }) {
  const tmux = async (...words) => {
    const env = { ...plainEnv(), PATH: `${folder}:${process.env.PATH}`, HOME: folder, TERM: "xterm" };
    return await run(["tmux", "-L", `readback-${process.pid}-${name}`, "-f", "/dev/null", ...words], {
      env,
      show: () => null,
    });
  };
  const screen = async () => (await tmux("capture-pane", "-p")).output;
  /** Looks until the screen is as wanted, for 10 s; `again` is done before each look. */
  const until = async (wanted, again = async () => {}) => {
    for (let i = 0; i < 100; i++) {
      await again();
      if (wanted(await screen())) return true;
      await new Promise((done) => setTimeout(done, 100));
    }
    return false;
  };
  await tmux("new-session", "-d", "-x", "120", "-y", "30", "-c", folder, start);
  await tmux("send-keys", `${source}; echo rea''dy`, "Enter");
  await until((text) => text.includes("\nready"));
  for (const [typed, wanted] of LINES) {
    await tmux("send-keys", "-l", typed);
    await tmux("send-keys", "Tab");
    const fine = await until((text) => text.includes(wanted));
    checks.tell(`${name}: ${typed}<Tab>`, fine, await screen());
    // A shell that is still at work takes no key: the line is gone when it is not seen any more.
    await until(
      (text) => !text.includes(typed),
      async () => await tmux("send-keys", "C-u"),
    );
  }
  await tmux("kill-server");
}
