import type { GpuType } from "../api/catalog.ts";
import type { LookClient } from "../api/client.ts";
import { listEndpoints, listGpuTypes, readEndpoint } from "../api/control.ts";
import type { Endpoint, EndpointPatch } from "../api/endpoint.ts";
import { type Health, parseHealth } from "../api/health.ts";
import { health } from "../api/invoke.ts";
import { parseEndpoint, parseEndpoints, parseGpuTypes } from "../api/schema.ts";
import { overlay } from "../plan/overlay.ts";
import { frozen } from "./frozen.ts";
import { markPredicted } from "./predicted.ts";

/** The world as a plan sees it: real reads, with the planned changes laid over them. */
export interface View {
  /** An endpoint as it will read after the changes planned so far; a real read where there are none. */
  endpoint(id: string): Promise<Endpoint>;
  /** The same without a new read where there was one. */
  current(id: string): Promise<Endpoint>;
  /** Lays a planned body over an endpoint. */
  lay(id: string, body: EndpointPatch): void;
  /** Takes note of a read that was made elsewhere, such as the one after a change. */
  took(endpoint: Endpoint): void;
  /** The GPU catalog, read once. */
  gpuTypes(): Promise<readonly GpuType[]>;
  /** The sum of workers.max over all other endpoints. */
  otherWorkersMax(id: string): Promise<number>;
  /** Reads an endpoint's counts of jobs and workers, always anew. */
  health(id: string, options?: Parameters<typeof health>[2]): Promise<Health>;
  /** Each endpoint's counts as they were last read, so that two places of one preview state the same. */
  readonly healths: ReadonlyMap<string, Health>;
  /** Every endpoint read, as it was first read, in order. */
  readonly firstReads: ReadonlyMap<string, Endpoint>;
}

/**
 * @param answered endpoints whose first read was made already, while their names were resolved: id → text
 * @param onRead told of every endpoint that is read
 */
export function createView(
  client: LookClient,
  answered: ReadonlyMap<string, string>,
  onRead: (endpoint: Endpoint) => void,
): View {
  const unread = new Map(answered);
  const firstReads = new Map<string, Endpoint>();
  const latest = new Map<string, Endpoint>();
  const predicted = new Map<string, Endpoint>();
  const healths = new Map<string, Health>();
  let catalog: Promise<readonly GpuType[]> | null = null;

  async function read(id: string): Promise<Endpoint> {
    const text = unread.get(id) ?? (await readEndpoint(client, id)).text;
    unread.delete(id);
    const endpoint = frozen(parseEndpoint(text, id));
    onRead(endpoint);
    if (!firstReads.has(id)) firstReads.set(id, endpoint);
    latest.set(id, endpoint);
    return endpoint;
  }
  async function readCatalog(): Promise<readonly GpuType[]> {
    return frozen(parseGpuTypes((await listGpuTypes(client)).text));
  }

  return {
    firstReads,
    healths,
    endpoint: async (id) => predicted.get(id) ?? (await read(id)),
    current: async (id) => predicted.get(id) ?? latest.get(id) ?? (await read(id)),
    lay(id, body) {
      const base = predicted.get(id) ?? latest.get(id);
      if (base) predicted.set(id, frozen(markPredicted(overlay(base, body).endpoint)));
    },
    took: (endpoint) => void latest.set(endpoint.id, frozen(endpoint)),
    async health(id, options) {
      const read = parseHealth((await health(client, id, options)).text);
      healths.set(id, read);
      return read;
    },
    gpuTypes() {
      catalog ??= readCatalog().catch((error: unknown) => {
        catalog = null; // a failed read is no catalog: the next step that needs it reads again
        throw error;
      });
      return catalog;
    },
    async otherWorkersMax(id) {
      const endpoints = parseEndpoints((await listEndpoints(client)).text);
      const others = endpoints.filter((endpoint) => endpoint.id !== id);
      return others.reduce((sum, endpoint) => sum + endpoint.workers.max, 0);
    },
  };
}
