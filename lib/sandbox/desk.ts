import type { Faults } from "./faults.ts";
import type { Stage } from "./fleet/site.ts";
import type { InvokeLimiter } from "./invoke/limits.ts";
import type { SandboxKeys } from "./keys.ts";
import type { RateLimiter } from "./quotas.ts";
import type { RecordedRequest } from "./record.ts";
import type { SandboxRoute } from "./route.ts";
import type { ShowOptions } from "./show-endpoint.ts";

/** The parts of a sandbox that an answer needs. */
export interface Desk {
  readonly routes: readonly SandboxRoute[];
  readonly stage: Stage;
  readonly faults: Faults;
  readonly limiter: RateLimiter;
  readonly invokeLimiter: InvokeLimiter;
  readonly keys: SandboxKeys;
  readonly requests: RecordedRequest[];
  /** What is needed to show an endpoint, at this moment. */
  readonly show: () => ShowOptions;
  readonly newRequestId: () => string;
  /** How many requests have begun to arrive, this one included. */
  readonly nextNumber: () => number;
}
