/** True when a CUDA version reaches a floor. Versions compare as numbers: 12.11 is above 12.2 (runpod-api.md 2.5). */
export function isCudaAtLeast(version: string, floor: string): boolean {
  return compareCuda(version, floor) >= 0;
}

/** Orders CUDA versions, oldest first. */
export function compareCuda(a: string, b: string): number {
  const [major = 0, minor = 0] = a.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = b.split(".").map(Number);
  return major === otherMajor ? minor - otherMinor : major - otherMajor;
}
