import type { Said, Trouble } from "../fleet/trouble.ts";
import type { FleetWorker } from "../fleet/worker.ts";
import type { WorldEndpoint } from "../world.ts";

/** The image that is at fault; any other one works. */
const IMAGE = "acme/sdxl-worker:1.4.2";
/** Twelve failed starts in 100 s were seen (runpod-api.md 4.6). */
const EVERY_MS = 8000;

/** The program ends with exit status 1 while it loads, after what it printed. */
export function dyingContainer(afflicts: Trouble["afflicts"], ...printed: readonly string[]): Trouble {
  return {
    ...{ afflicts, seems: "RUNNING", everyMs: EVERY_MS },
    lines: [
      startOf(IMAGE),
      container("--- Starting Serverless Worker |  Version 1.11.0 ---"),
      ...printed.map(container),
      system("worker exited with exit code 1"),
    ],
  };
}

/** The container is started and says nothing, or the start itself fails with an error. */
export function failingStart(afflicts: Trouble["afflicts"], image: string, error: string | null): Trouble {
  return {
    ...{ afflicts, seems: "RUNNING", everyMs: EVERY_MS },
    lines: error === null ? [startOf(image)] : [system(`error starting container: ${error}`)],
  };
}

/** The image does not come, so nothing is started. */
export function failingPull(afflicts: Trouble["afflicts"], error: string): Trouble {
  return {
    ...{ afflicts, seems: "INITIALIZING", everyMs: 2 * EVERY_MS },
    lines: [system(`error creating container: ${error}`)],
  };
}

/** A server that runs, and that the probe does not reach (runpod-api.md 4.8). */
export function unreached(afflicts: Trouble["afflicts"]): Trouble {
  return {
    ...{ afflicts, seems: "RUNNING", everyMs: null },
    lines: [
      container("INFO:     Started server process [1]"),
      container("INFO:     Application startup complete."),
    ],
  };
}

/** As long as the endpoint has the image that is at fault. */
export function ofThatImage({ image }: WorldEndpoint): boolean {
  return image === IMAGE;
}

/** Where the worker's host has a card of 24 GB. */
export function onSmallCard(_endpoint: WorldEndpoint, { gpuTypeId }: FleetWorker): boolean {
  return ["NVIDIA GeForce RTX 4090", "NVIDIA L4", "NVIDIA RTX A5000"].includes(gpuTypeId ?? "");
}

function startOf(image: string): Said {
  return system(`start container for ${image}: begin`);
}

function system(line: string): Said {
  return { source: "system", line };
}

function container(line: string): Said {
  return { source: "container", line };
}
