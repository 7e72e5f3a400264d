// What a program does with `runpod-sdk`, as a program of its own: node scripts/_sdk-calls.mjs <path of the SDK>. It takes
// the address of the invoke plane as its option `baseUrl`; its key is an argument. One line of JSON a call.
import { pathToFileURL } from "node:url";

const { RUNPOD_API_KEY: key, RUNPOD_SERVERLESS_API_URL: baseUrl } = process.env;
const { default: createSdk } = await import(pathToFileURL(process.argv[2] ?? "").href);
const sdk = createSdk(key, { baseUrl });
const images = sdk.endpoint("4m7x2k9q");
const transcriber = sdk.endpoint("3p8n6v2d");
const PROMPT = { input: { prompt: "a red fox" } };
/** Longer than this script runs. */
const LONG = { input: { prompt: "a red fox", sleepMs: 600_000 } };

await call(
  "health",
  () => images.health(),
  ({ jobs, workers }) => jobs.inQueue === 0 && workers.ready === 0,
);

const job = await call(
  "run",
  () => images.run(PROMPT),
  ({ id, status }) => id !== "" && status === "IN_QUEUE",
);
await call(
  "status",
  () => images.status(job.id),
  ({ id, started }) => id === job.id && started,
);
await call("statusSync", () => images.statusSync(job.id, 60_000), madeImage);
await call("status of a completed job", () => images.status(job.id), madeImage);

await call("runSync", () => images.runSync(PROMPT), madeImage);
const slow = { input: { prompt: "a red fox", sleepMs: 40_000 } };
await call("runSync past its first wait", () => images.runSync(slow, 10_000), madeImage);
const broken = ({ completed, succeeded, error }) => completed && !succeeded && error !== undefined;
await call("runSync of a job that fails", () => images.runSync({ input: { prompt: "" } }), broken);

await call("stream", streamed, (words) => words.join(" ") === "once upon a runpod once");

const long = await images.run(LONG);
await call(
  "cancel",
  () => images.cancel(long.id),
  ({ id, status }) => id === long.id && status === "CANCELLED",
);
const cancelled = ({ status, completed, succeeded }) => status === "CANCELLED" && completed && !succeeded;
await call("status of a cancelled job", () => images.status(long.id), cancelled);

// Five workers at most: three of eight stay in the queue.
for (let i = 0; i < 8; i += 1) await images.run(LONG);
await call(
  "purgeQueue",
  () => images.purgeQueue(),
  ({ removed, status }) => removed >= 3 && status === "completed",
);

/** Makes a call and tells whether its answer is the one that is wanted. */
async function call(name, make, wanted) {
  const answer = await make().catch((error) => ({ thrown: String(error), data: error?.response?.data }));
  console.log(JSON.stringify({ call: name, fine: answer.thrown === undefined && wanted(answer), answer }));
  return answer;
}

function madeImage({ status, completed, succeeded, output }) {
  return status === "COMPLETED" && completed && succeeded && output?.width === 1024;
}

async function streamed() {
  const { id } = await transcriber.run({ input: { chunks: 5 } });
  const words = [];
  for await (const { output } of transcriber.stream(id)) words.push(output.word);
  return words;
}
