import { type Document, decidingFailure } from "../lib/diagnose/document.ts";
import { diagnosisText } from "../lib/diagnose/text.ts";
import { ReadbackError } from "../lib/errors.ts";
import { withoutSecrets } from "../lib/plan/secrets.ts";
import { printJson, printText } from "./_output.ts";
import { paintFor } from "./_paint.ts";
import type { Session } from "./_session.ts";

export interface ShowDiagnosis {
  readonly json: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly session: Session;
}

/** Shows a diagnosis: one screen, or the document. @returns 0; 1 where a read that would decide failed */
export async function showDiagnosis(
  document: Document,
  { json, env, session }: ShowDiagnosis,
): Promise<number> {
  if (json) printJson(withoutSecrets(document));
  else printText(diagnosisText(document, await paintFor(1, env)));
  const failed = decidingFailure(document);
  if (failed === null) return 0;
  const [open] = document.unsettled;
  return await session.report(
    new ReadbackError(
      failed.code ?? "api_error",
      `Cannot tell what is wrong: ${open?.because ?? failed.error}`,
      {
        status: failed.status ?? null,
        followUp: open?.command ?? null,
        details: { endpoint: document.endpoint.id },
      },
    ),
  );
}
