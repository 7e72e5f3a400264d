import type { EndpointGpu } from "../../api/endpoint.ts";
import { fix, updateWords } from "../command.ts";
import { counted, fields } from "../evidence.ts";
import { type Facts, placed } from "../facts.ts";
import { advice, type Evidence, type Outcome, type Recommendation } from "../finding.ts";
import { contextOf, type Proof, proofOf } from "./_proof.ts";
import { selectedTypes, stockEvidence } from "./_stock.ts";

/** The image needs a newer CUDA than its host has, or the endpoint asks for one that no free host has (runpod-api.md 2.12, 5). */
export function cudaConstraint(facts: Facts): Outcome {
  const proof = proofOf(facts, "cuda_constraint");
  if (proof !== null) return hostTooOld(facts, proof);
  return isUnmet(facts) ? noHost(facts) : null;
}

function hostTooOld(facts: Facts, proof: Proof): Outcome {
  const wanted = /cuda\s*>=\s*(\d+\.\d+)/i.exec(proof.text)?.[1] ?? null;
  const { id } = facts.endpoint;
  return {
    finding: {
      cause: "cuda_constraint",
      severity: "critical",
      summary:
        wanted === null
          ? "The image needs a newer CUDA than the driver of its host offers"
          : `The image needs CUDA ${wanted} or newer, and runs on a host with an older driver`,
      evidence: [
        ...proof.evidence,
        ...fields(facts, "endpoint", "gpu.minCudaVersion", "gpu.allowedCudaVersions"),
      ],
      recommendations:
        wanted === null
          ? [advice("Set the lowest CUDA version that the image runs on (serverless update --min-cuda)")]
          : [
              fix("Run only on hosts that have it", updateWords(id, "--min-cuda", wanted)),
              fix("Then replace the workers that run now, which keep their host; an outage meanwhile", [
                "run",
                "bounce-workers",
                id,
              ]),
            ],
    },
  };
}

/** Jobs wait, no worker is placed, and of the selection only hosts of other CUDA versions are free. */
function isUnmet(facts: Facts): boolean {
  const { endpoint, waiting, counts } = facts;
  const { gpu } = endpoint;
  if (!gpu || waiting === 0 || endpoint.workers.max === 0 || placed(counts) > 0) return false;
  const offered = offeredOf(facts);
  if (offered.length === 0 || !hasConstraint(gpu)) return false;
  const free = offered.filter(({ available }) => available);
  return free.length > 0 && !free.some(({ version }) => isAllowed(gpu, version));
}

interface Offered {
  readonly type: string;
  readonly version: string;
  readonly available: boolean;
}

function offeredOf(facts: Facts): readonly Offered[] {
  return selectedTypes(facts).flatMap((type) =>
    (type.cudaVersions ?? []).map((cuda) => ({ type: type.id, ...cuda })),
  );
}

function hasConstraint({ allowedCudaVersions, minCudaVersion }: EndpointGpu): boolean {
  return allowedCudaVersions.length > 0 || minCudaVersion !== null;
}

function isAllowed({ allowedCudaVersions, minCudaVersion }: EndpointGpu, version: string): boolean {
  if (allowedCudaVersions.length > 0) return allowedCudaVersions.includes(version);
  return compare(version, minCudaVersion ?? "0.0") >= 0;
}

/** As numbers: 12.11 is above 12.2 (runpod-api.md 2.5). */
function compare(a: string, b: string): number {
  const [major = 0, minor = 0] = a.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = b.split(".").map(Number);
  return major === otherMajor ? minor - otherMinor : major - otherMajor;
}

function noHost(facts: Facts): Outcome {
  const offered = offeredOf(facts);
  const newest = offered
    .filter(({ available }) => available)
    .toSorted((a, b) => compare(b.version, a.version))[0];
  return {
    finding: {
      cause: "cuda_constraint",
      severity: "critical",
      summary:
        "No free host of the selected GPU types has a CUDA version that the endpoint allows, though other versions are free",
      evidence: [
        ...fields(facts, "endpoint", "gpu.minCudaVersion", "gpu.allowedCudaVersions"),
        ...offered.map(
          ({ type, version, available }): Evidence =>
            counted("gpuTypes", `${type}.cudaVersions.${version}`, available ? "available" : "full"),
        ),
        ...stockEvidence(facts),
        ...contextOf(facts),
      ],
      recommendations: relax(facts, newest?.version ?? null),
    },
  };
}

function relax({ endpoint }: Facts, newest: string | null): readonly Recommendation[] {
  const other = advice("Or select GPU types that have free hosts of that version (readback gpus --min-cuda)");
  if (newest === null) return [other];
  const text = `Where the image runs on CUDA ${newest}, allow it: the newest version with a free host`;
  const flag = (endpoint.gpu?.allowedCudaVersions.length ?? 0) > 0 ? "--cuda" : "--min-cuda";
  return [fix(text, updateWords(endpoint.id, flag, newest)), other];
}
