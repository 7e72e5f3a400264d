import type { Site } from "./site.ts";
import type { FleetWorker } from "./worker.ts";

/** A line of a worker's log (runpod-api.md 2.11). */
export interface LogLine {
  readonly source: "container" | "system";
  readonly line: string;
  /** Whole seconds for the system, nanoseconds for the container. */
  readonly ts: string;
  /** Its number in the log of its worker, from 0. */
  readonly n: number;
}

/** Adds a line of the machine's: whole seconds. */
export function logSystem(site: Site, worker: FleetWorker, line: string): void {
  const ts = new Date(site.clock.now()).toISOString().replace(/\.\d+Z$/, "Z");
  worker.log.push({ source: "system", line, ts, n: worker.logged++ });
  site.bell.ring();
}

/** Adds a line that the container printed: nanoseconds, never two alike. */
export function logContainer(site: Site, worker: FleetWorker, line: string): void {
  const nanoseconds = String((worker.logged * 1733 + 39_264) % 1_000_000).padStart(6, "0");
  const ts = new Date(site.clock.now()).toISOString().replace("Z", `${nanoseconds}Z`);
  worker.log.push({ source: "container", line, ts, n: worker.logged++ });
  site.bell.ring();
}

/** Adds a message of the worker SDK's, as it writes them on the platform (runpod-api.md 5). */
export function logMessage(
  site: Site,
  worker: FleetWorker,
  message: { readonly text: string; readonly requestId?: string; readonly level?: string },
): void {
  const { text, requestId = null, level = "INFO" } = message;
  logContainer(
    site,
    worker,
    `{"requestId": ${JSON.stringify(requestId)}, "message": ${JSON.stringify(text)}, "level": "${level}"}`,
  );
}

/** The container's lines go with the container, the system's stay (runpod-api.md 2.11). */
export function dropContainerLines(worker: FleetWorker): void {
  const kept = worker.log.filter(({ source }) => source === "system");
  worker.log.splice(0, worker.log.length, ...kept);
}

/** What the machine says while it pulls an image, in order (runpod-api.md 5). */
export function pullLines(image: string): readonly string[] {
  const [name = image, tag = "latest"] = image.split(/:(?=[^/]*$)/);
  const layers = ["7cf63256a31a", "b3ac1f93d7e0"];
  const words = [
    "Pulling fs layer",
    "Downloading",
    "Verifying Checksum",
    "Download complete",
    "Extracting",
    "Pull complete",
  ];
  return [
    `${tag} Pulling from ${name}`,
    ...layers.flatMap((layer) => words.map((word) => `${layer} ${word}`)),
    "Digest: sha256:9a1f6c0b7e2d45f8a3c1d0e9b8f7a6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9",
    `Status: Downloaded newer image for ${image}`,
  ];
}

/** What the worker SDK prints until it takes jobs (runpod-api.md 5); the CUDA checks are there on GPUs only. */
export function startUpLines(hasGpu: boolean): readonly string[] {
  const gpu = (text: string) => (hasGpu ? [text] : []);
  return [
    `Running ${hasGpu ? 7 : 3} fitness check(s)...`,
    ...gpu("GPU binary test passed: 1 GPU(s) healthy (CUDA 12.8)"),
    "Memory check passed: 30.12GB available (of 31.34GB total)",
    "Disk space check passed: 18.20GB free (91.0% available)",
    "Network connectivity passed: Connected to 8.8.8.8 (12ms)",
    ...gpu("CUDA version check passed: 12.8 (minimum: 11.8)"),
    ...gpu("CUDA initialization passed: 1 device(s) initialized successfully"),
    ...gpu("GPU compute benchmark passed: Matrix multiply completed in 7ms"),
    "All fitness checks passed. (919.19ms)",
  ];
}
