import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: object }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Runpod's own document of the control plane, as validators. */
export interface Contract {
  /** Its operations, as `GET /v2/serverless/{id}`. */
  readonly operations: readonly string[];
  /** What is wrong with an answer; empty when the document allows it. */
  problems(operation: string, answer: { status: number; type: string; json: unknown }): readonly string[];
  /** The validator of a named schema. */
  schema(name: string): ValidateFunction;
}

/** Loads the document. */
export function loadContract(): Contract {
  const url = new URL("../contract/runpod-openapi-v2.json", import.meta.url);
  const document: Document = JSON.parse(readFileSync(url, "utf8"));
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.addSchema(document, "openapi");
  const compile = (pointer: string): ValidateFunction => ajv.compile({ $ref: `openapi#${pointer}` });
  return {
    operations: operationsOf(document),
    schema: (name) => compile(`/components/schemas/${name}`),
    problems(operation, { status, type, json }) {
      const [method = "", path = ""] = operation.split(" ");
      const responses = document.paths[path]?.[method.toLowerCase()]?.responses ?? {};
      const key = String(status) in responses ? String(status) : "default";
      const response = responses[key];
      if (response === undefined) return [`${operation}: status ${status} is not declared`];
      const base =
        response.$ref?.slice(1) ?? `/paths/${pointerPart(path)}/${method.toLowerCase()}/responses/${key}`;
      const media = status >= 400 ? "application/problem+json" : "application/json";
      if (status === 204) return [];
      if (!type.startsWith(media)) return [`${operation} ${status}: content type is ${type}`];
      const validate = compile(`${base}/content/${pointerPart(media)}/schema`);
      validate(json);
      return (validate.errors ?? []).map((e) => `${operation} ${status}: ${e.instancePath} ${e.message}`);
    },
  };
}

function operationsOf(document: Document): readonly string[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => method !== "parameters")
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}

function pointerPart(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1").replaceAll("{", "%7B").replaceAll("}", "%7D");
}
