import { ReadbackError } from "../lib/errors.ts";
import { nearest } from "../lib/near.ts";
import type { Sandbox, SandboxOptions } from "../lib/sandbox/mod.ts";

/** Makes a sandbox; it is loaded only here. @throws usage_error - there is no such scenario */
export async function makeSandbox(options: SandboxOptions & { readonly scenario: string }): Promise<Sandbox> {
  const { createSandbox, listScenarios } = await import("../lib/sandbox/mod.ts");
  const names = listScenarios().map(({ name }) => name);
  if (names.includes(options.scenario)) return createSandbox(options);
  const near = nearest(options.scenario, names);
  const hint = near === undefined ? `there are ${names.join(", ")}` : `did you mean ${near}?`;
  throw new ReadbackError("usage_error", `There is no scenario ${JSON.stringify(options.scenario)}; ${hint}`);
}
