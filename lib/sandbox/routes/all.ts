import type { SandboxRoute } from "../route.ts";
import { createEndpoint } from "./create-endpoint.ts";
import { deleteEndpoint } from "./delete-endpoint.ts";
import { listCpuTypes } from "./list-cpu-types.ts";
import { listDataCenters } from "./list-data-centers.ts";
import { listEndpoints } from "./list-endpoints.ts";
import { listGpuTypes } from "./list-gpu-types.ts";
import { listReleases } from "./list-releases.ts";
import { listTemplates } from "./list-templates.ts";
import { listWorkers } from "./list-workers.ts";
import { patchEndpoint } from "./patch-endpoint.ts";
import { readCpuType } from "./read-cpu-type.ts";
import { readDataCenter } from "./read-data-center.ts";
import { readEndpoint } from "./read-endpoint.ts";
import { readGpuType } from "./read-gpu-type.ts";
import { readWorkerLogs } from "./read-worker-logs.ts";

/** Every operation of the control plane that the sandbox answers. */
export const SANDBOX_ROUTES: readonly SandboxRoute[] = [
  listEndpoints,
  createEndpoint,
  readEndpoint,
  patchEndpoint,
  deleteEndpoint,
  listWorkers,
  readWorkerLogs,
  listReleases,
  listGpuTypes,
  readGpuType,
  listCpuTypes,
  readCpuType,
  listDataCenters,
  readDataCenter,
  listTemplates,
];
