import { arg, assertReadBack, defineRecipe, gpuTypes, patch, pinTo, readEndpoint } from "../lib/mod.ts";

export default defineRecipe({
  name: "pin-gpu",
  summary: "Run an endpoint's workers on one exact GPU type",
  args: {
    endpoint: arg.endpoint(),
    gpu: arg.gpuType(),
    minCuda: arg.optional(arg.cudaVersion("lowest CUDA version, major.minor; clears a list of allowed ones")),
    cuda: arg.optional(arg.list(arg.cudaVersion("allowed CUDA versions, major.minor; clears a floor"))),
  },
  mutates: ["patch:gpu"],
  example: 'image-generator --gpu "NVIDIA L40S" --min-cuda 12.4',
  async run(ops, { endpoint, gpu, minCuda, cuda }) {
    const before = await readEndpoint(ops, endpoint);
    const selection = pinTo(await gpuTypes(ops), gpu, { minCuda, cuda });
    const change = await patch(ops, before, { gpu: selection });
    await assertReadBack(ops, change);
  },
});
