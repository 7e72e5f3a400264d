import { invalidQuery } from "../catalog/query.ts";
import type { WorldTemplate } from "../data/templates.ts";
import { ok, refuse } from "../reply.ts";
import type { SandboxRoute } from "../route.ts";

const SOURCE = { type: "string", enum: ["official", "verified", "community"] } as const;

/** `GET /v2/catalog/templates`: the public ones of one source, official by default. */
export const listTemplates: SandboxRoute = {
  name: "listTemplates",
  method: "GET",
  path: "/v2/catalog/templates",
  answer({ world, query }) {
    const source = query.get("source") ?? "official";
    const problem = invalidQuery({ source }, { source: SOURCE });
    if (problem) return refuse(problem);
    return ok({ templates: world.templates.filter((row) => row.source === source).map(showTemplate) });
  },
};

function showTemplate({ source: _, registry: __, ...template }: WorldTemplate): Record<string, unknown> {
  return {
    ...template,
    registry: null, // the catalog never shows the credential of others
    mounts: {},
    public: true,
    startSsh: !template.serverless,
    startJupyter: !template.serverless,
    allowedCudaVersions: [],
  };
}
