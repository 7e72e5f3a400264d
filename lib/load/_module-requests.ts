import { type ParseResult, parse } from "@babel/parser";

/** A place in a file; both count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** One thing that a module asks for, and where. */
export interface ModuleRequest extends Place {
  /** Null where it is computed, and only running the file would tell. */
  readonly specifier: string | null;
  /** The values that it asks for by name; types are left out. */
  readonly names: readonly (Place & { readonly name: string })[];
}

/** Syntax that the file cannot be run with on every runtime. */
export interface UnsupportedSyntax extends Place {
  readonly what: string;
}

export interface ModuleSyntax {
  readonly requests: readonly ModuleRequest[];
  readonly unsupported: readonly UnsupportedSyntax[];
}

/** A file that is no JavaScript or TypeScript, with the place. */
export class ModuleSyntaxError extends Error {
  readonly line: number;
  readonly column: number;
  constructor(message: string, line: number, column: number) {
    super(message);
    this.line = line;
    this.column = column;
  }
}

interface Node {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } } | null;
  readonly [key: string]: unknown;
}

/** Node and Deno take types away and nothing else: these would need code to be generated. */
const NOT_ERASABLE: Readonly<Record<string, string>> = {
  TSEnumDeclaration: "an enum",
  TSModuleDeclaration: "a namespace",
  TSParameterProperty: "a parameter property",
  TSImportEqualsDeclaration: "import … = …",
  TSExportAssignment: "export = …",
};

/**
 * Lists what a module asks for: imports, re-exports, `import()` and `require()`; those for types alone are left out.
 *
 * @throws ModuleSyntaxError
 */
export function moduleRequests(text: string, options: { readonly typescript: boolean }): ModuleSyntax {
  const requests: ModuleRequest[] = [];
  const unsupported: UnsupportedSyntax[] = [];
  visit(parseModule(text, options.typescript).program as unknown as Node, (node) => {
    const source = requestOf(node);
    if (source !== undefined) requests.push({ specifier: source, names: namesOf(node), ...placeOf(node) });
    const what = node["declare"] === true ? undefined : NOT_ERASABLE[node.type];
    if (what !== undefined) unsupported.push({ what, ...placeOf(node) });
  });
  return { requests, unsupported };
}

function parseModule(text: string, typescript: boolean): ParseResult {
  try {
    return parse(text, {
      sourceType: "module",
      createImportExpressions: true,
      plugins: typescript ? ["typescript"] : [],
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const loc = (error as { loc?: { line: number; column: number } }).loc ?? { line: 1, column: 0 };
    throw new ModuleSyntaxError(error.message.replace(/\s*\(\d+:\d+\)$/, ""), loc.line, loc.column + 1);
  }
}

/** Undefined when the node asks for nothing, null when it asks for something computed. */
function requestOf(node: Node): string | null | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return node["importKind"] === "type" ? undefined : literal(node["source"]);
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return node["source"] == null || node["exportKind"] === "type" ? undefined : literal(node["source"]);
    case "ImportExpression":
      return literal(node["source"]);
    case "CallExpression":
      return isRequire(node["callee"]) ? literal((node["arguments"] as unknown[])[0]) : undefined;
    default:
      return undefined;
  }
}

function isRequire(callee: unknown): boolean {
  const { type, name } = callee as { type?: string; name?: string };
  return type === "Identifier" && name === "require";
}

function literal(source: unknown): string | null {
  const node = source as Node | undefined;
  if (node?.type === "StringLiteral") return String(node["value"]);
  const quasis = node?.type === "TemplateLiteral" ? (node["quasis"] as { value: { cooked: string } }[]) : [];
  return quasis.length === 1 ? (quasis[0]?.value.cooked ?? null) : null;
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see);
  }
}

function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
  );
}

function namesOf(node: Node): ModuleRequest["names"] {
  const specifiers = (node["specifiers"] ?? []) as readonly Node[];
  return specifiers.flatMap((specifier) => {
    const asked = (specifier["imported"] ?? specifier["local"]) as { name?: string } | undefined;
    const byName = specifier.type === "ImportSpecifier" || specifier.type === "ExportSpecifier";
    const isType = specifier["importKind"] === "type" || specifier["exportKind"] === "type";
    if (!byName || isType || asked?.name === undefined) return [];
    return [{ name: asked.name, ...placeOf(specifier) }];
  });
}

function placeOf(node: Node): Place {
  const start = node.loc?.start ?? { line: 1, column: 0 };
  return { line: start.line, column: start.column + 1 };
}
