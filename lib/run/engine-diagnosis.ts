import { diagnose } from "../diagnose/diagnose.ts";
import { diagnosisDocument } from "../diagnose/document.ts";
import type { Engine } from "./engine.ts";
import type { EngineParts } from "./engine-parts.ts";
import { gatherReads } from "./gather-diagnosis.ts";

/** The part of an engine that says why an endpoint is as it is; it reads for real, also after a planned change. */
export function diagnosisSteps(parts: EngineParts): Pick<Engine, "diagnose"> {
  return {
    diagnose: (given, options) =>
      parts.session.step("diagnose", "look", async () =>
        diagnosisDocument(diagnose(await gatherReads(given, options, parts))),
      ),
  };
}
