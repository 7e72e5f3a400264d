import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint, EndpointPatch } from "../../lib/api/endpoint.ts";
import { completeBody } from "../../lib/plan/complete-body.ts";
import { planDocument } from "../../lib/plan/document.ts";
import { patchMutation } from "../../lib/plan/mutation.ts";
import type { Paint } from "../../lib/plan/paint.ts";
import type { Plan } from "../../lib/plan/plan.ts";
import { previewText } from "../../lib/plan/preview.ts";
import { catalog, endpoint } from "./_world.ts";

function planOf(before: Endpoint, asked: EndpointPatch): Plan {
  const mutation = patchMutation({
    n: 1,
    before,
    url: "https://api.runpod.io/v2/serverless/4m7x2k9q",
    body: completeBody(before, asked, catalog),
    namedEnv: Object.keys(asked.env ?? {}),
    catalog,
    otherWorkersMax: 7,
    jobs: null,
    restores: null,
  });
  return {
    recipe: { name: "pin-gpu", source: "built-in", digest: "sha256:0" },
    args: { endpoint: before.id, hfToken: "hf_SECRET" },
    declares: ["patch:gpu"],
    host: "api.runpod.io",
    createdAt: "2026-12-01T00:00:00.000Z",
    endpoints: [{ endpoint: before, fingerprint: "sha256:0" }],
    mutations: mutation ? [mutation] : [],
    waits: [],
    complete: true,
    unknown: null,
    now: new Map([[before.id, { inQueue: 3, inProgress: 2, idle: 1 }]]),
    unusedScopes: [],
    reads: 3,
    value: undefined,
  };
}

const pin = {
  gpu: { pools: ["ADA_48_PRO"], excludedTypes: ["NVIDIA L40", "NVIDIA RTX 6000 Ada Generation"] },
};

const PIN = `PREVIEW, nothing sent · key 3f9a61c2 · api.runpod.io · pin-gpu may change: gpu
image-generator 4m7x2k9q  QUEUE  min 0 max 5 · now 3 queued, 2 running, 1 idle
  gpu.pools          ADA_24 → ADA_48_PRO
  gpu.excludedTypes  none → + NVIDIA L40  + NVIDIA RTX 6000 Ada Generation
Price    $1.116 → $1.908 per worker-hour (+71 %); at max 5: $5.58 → $9.54/h; standing $0 (min 0) · list prices
Stock    WARN L40S is LOW in US-KS-2, the only data center of this endpoint
Workers  running ones keep their card; to move them: readback run bounce-workers 4m7x2k9q
Also     none
Undo     yes: puts gpu back exactly
Same     workers, scaling, env, image and 10 more are not sent, and are checked afterwards
1 change on 1 endpoint.`;

test("the preview of a pin is one screen in a fixed order", () => {
  assert.equal(previewText(planOf(endpoint(), pin), { keyFingerprint: "3f9a61c2" }), PIN);
});

test("without its colours the preview is the same text", () => {
  const mark = (text: string): string => `\u001b[1m${text}\u001b[22m`;
  const paint: Paint = { bold: mark, dim: mark, warn: mark, good: mark, bad: mark };
  const coloured = previewText(planOf(endpoint(), pin), { keyFingerprint: "3f9a61c2", paint });
  assert.notEqual(coloured, PIN);
  assert.equal(coloured.replace(/\u001b\[\d+m/g, ""), PIN);
});

test("a health read that failed is said, and stops nothing", () => {
  const plan = { ...planOf(endpoint(), pin), now: new Map([["4m7x2k9q", null]]) };
  assert.match(previewText(plan, { keyFingerprint: "0" }), /max 5 · now not read$/m);
});

test("a sandbox is named first", () => {
  assert.match(
    previewText(planOf(endpoint(), pin), { keyFingerprint: "3f9a61c2", sandbox: true }),
    /^SANDBOX, not Runpod · /,
  );
});

test("values of env are masked everywhere, and a changed secret is seen to change; a reference is shown", () => {
  const plan = planOf(endpoint(), { env: { HF_TOKEN: "hf_NEW", REF: "{{ RUNPOD_SECRET_hf }}" } });
  const text = previewText(plan, { keyFingerprint: "3f9a61c2", showRequests: true });
  assert.match(text, /env\.HF_TOKEN {2}\*\*\* → \*\*\* \(changed\)/);
  assert.match(text, /env\.REF {7}none → \{\{ RUNPOD_SECRET_hf \}\}/);
  for (const shown of [text, JSON.stringify(planDocument(plan))])
    for (const hidden of ["hf_OLD", "hf_NEW", "hf_SECRET", 'sdxl"'])
      assert.equal(shown.includes(hidden), false, hidden);
});

test("values carry the unit they are sent in", () => {
  const text = previewText(planOf(endpoint(), { workers: { idleTimeout: 300 }, timeout: 900_000 }), {
    keyFingerprint: "0",
  });
  assert.match(text, /workers.idleTimeout {2}5 s → 300 s/);
  assert.match(text, /timeout {14}600000 ms → 900000 ms/);
});

test("a plan without changes says that there is nothing to do", () => {
  assert.match(
    previewText(planOf(endpoint(), {}), { keyFingerprint: "0" }),
    /Nothing to do: it already reads as asked\.$/,
  );
});

test("an unknown price is the word unknown", () => {
  const text = previewText(planOf(endpoint(), { gpu: { pools: ["ADA_32_PRO"] } }), { keyFingerprint: "0" });
  assert.match(text, /Price {4}\$1\.116 → unknown per worker-hour; at max 5: \$5\.58 → unknown\/h/);
});
