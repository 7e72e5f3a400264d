import type { GpuType } from "../../api/catalog.ts";
import { costOf } from "../../plan/cost.ts";
import { allowedTypes, pinTo } from "../../plan/gpu-selection.ts";
import { fix } from "../command.ts";
import { counted } from "../evidence.ts";
import type { Facts } from "../facts.ts";
import { advice, type Evidence, type Outcome, type Recommendation } from "../finding.ts";
import { type Proof, proofOf } from "./_proof.ts";

/** The memory does not suffice for what the worker does: the GPU is too small for the real pattern (runpod-api.md 4.6). */
export function outOfMemory(facts: Facts): Outcome {
  const proof = proofOf(facts, "out_of_memory");
  if (proof === null) return null;
  const isGpu = /CUDA|OutOfMemoryError|GPU/i.test(proof.text);
  const card = cardOf(facts, proof);
  const larger = isGpu && card !== null ? largerThan(card, facts) : null;
  return {
    finding: {
      cause: "out_of_memory",
      severity: "critical",
      summary: isGpu
        ? "The GPU's memory does not suffice for what the worker loads or computes"
        : "The worker's memory does not suffice, and it is killed or gives up",
      evidence: [...proof.evidence, ...cardEvidence(card), ...cardEvidence(larger)],
      recommendations: [
        ...(larger === null ? [] : pinAdvice(larger, facts)),
        advice(
          isGpu
            ? "Or need less: a smaller or quantised model, smaller batches, a shorter context"
            : "Need less memory while loading, or select a larger GPU type: its machines have more",
        ),
      ],
    },
  };
}

/** The type that ran out; where no worker names it, the largest that the selection allows. */
function cardOf({ reads, endpoint, catalog }: Facts, { worker }: Proof): GpuType | null {
  if (!endpoint.gpu || catalog === null) return null;
  const id = reads.workers.value.workers.find((entry) => entry.id === worker)?.gpuTypeId;
  const named = catalog.find((type) => type.id === id);
  const largest = allowedTypes(endpoint.gpu, catalog).toSorted((a, b) => b.memory - a.memory)[0];
  return named ?? largest ?? null;
}

/** The next larger type that serverless has in stock where the endpoint runs; the cheapest of that size. */
function largerThan(card: GpuType, { endpoint, catalog }: Facts): GpuType | null {
  const fits = (catalog ?? []).filter(
    (type) => type.pool !== null && type.memory > card.memory && isHad(type, endpoint.dataCenterIds),
  );
  const price = (type: GpuType): number => type.price.serverless ?? Number.MAX_VALUE;
  return fits.toSorted((a, b) => a.memory - b.memory || price(a) - price(b))[0] ?? null;
}

function isHad(type: GpuType, centers: readonly string[]): boolean {
  if (centers.length === 0) return (type.availability ?? "NONE") !== "NONE";
  return (type.dataCenters ?? []).some(
    ({ id, availability }) => centers.includes(id) && availability !== "NONE",
  );
}

function pinAdvice(larger: GpuType, { endpoint, catalog }: Facts): readonly Recommendation[] {
  const { pools = [], excludedTypes = [] } = pinTo(catalog ?? [], larger.id);
  const gpu = endpoint.gpu ? { ...endpoint.gpu, pools, excludedTypes } : null;
  return [
    fix(
      `Run on a type with more memory: ${larger.id}`,
      ["run", "pin-gpu", endpoint.id, "--gpu", larger.id],
      costOf(endpoint, { ...endpoint, gpu }, catalog),
    ),
    fix("Then replace the workers that run now, which keep their card; an outage meanwhile", [
      "run",
      "bounce-workers",
      endpoint.id,
    ]),
  ];
}

function cardEvidence(card: GpuType | null): readonly Evidence[] {
  return card === null ? [] : [counted("gpuTypes", `${card.id}.memory`, card.memory)];
}
