import { billingServerless, parseBilling } from "../api/billing.ts";
import { listReleases, listWorkers } from "../api/control.ts";
import { parseReleases } from "../api/releases.ts";
import { parseWorkers } from "../api/workers.ts";
import type { Engine } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";

type ReadSteps = Pick<Engine, "workers" | "releases" | "billing">;

/** The part of an engine that reads what stands around an endpoint; it reads for real, also after a planned change. */
export function readSteps({ session, client }: EngineParts): ReadSteps {
  return {
    workers: (endpoint) =>
      session.step("workers", "look", async () => parseWorkers((await listWorkers(client, endpoint)).text)),
    releases: (endpoint) =>
      session.step("releases", "look", async () =>
        parseReleases((await listReleases(client, endpoint)).text),
      ),
    billing: (query) =>
      session.step("billing", "look", async () =>
        parseBilling((await billingServerless(client, query)).text),
      ),
  };
}
