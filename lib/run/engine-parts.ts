import type { ClientOptions, LookClient } from "../api/client.ts";
import type { Clock } from "../clock.ts";
import type { Target } from "../target.ts";
import type { Seen } from "../wait/job-errors.ts";
import type { Grants } from "./grants.ts";
import type { Mode } from "./mode.ts";
import type { Session } from "./session.ts";
import type { View } from "./view.ts";

/** What an engine is made of: the same for a plan and an apply, but for the mode. */
export interface EngineParts {
  readonly target: Target;
  readonly client: LookClient;
  /** For a client of another kind, such as the one that takes a stream's chunks. */
  readonly clientOptions: ClientOptions;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly view: View;
  readonly session: Session;
  readonly grants: Grants;
  readonly mode: Mode;
  /** As in the run's context. */
  readonly cancelReadMs?: number | undefined;
  readonly note: (text: string) => void;
  /** What the submits of this run were answered with, by job id. */
  readonly submitted: Map<string, Seen>;
}
