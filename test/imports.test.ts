import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));

/**
 * Who may import whom (DESIGN.md, "Layers"): a unit is a folder, or a file that stands directly in `lib`. Its own unit
 * is always open. `type:` opens a unit for types alone, `later:` for `import()` alone.
 */
const DIRECTIONS: Readonly<Record<string, readonly string[]>> = {
  bin: ["lib/*", "type:lib/sandbox", "later:lib/sandbox", "later:recipes"],
  recipes: ["lib/mod.ts", "lib/shell.ts"],
  "lib/mod.ts": ["lib/*"],
  "lib/diagnose": ["lib/plan", "lib/shell-line.ts", "type:lib/api", "type:lib/errors.ts"],
  "lib/steps": [
    "lib/run",
    "type:lib/diagnose",
    "lib/plan",
    "lib/api",
    "lib/errors.ts",
    "lib/json-value.ts",
    "lib/ops.ts",
  ],
  "lib/run": [
    ...[
      "lib/plan",
      "lib/api",
      "lib/diagnose",
      "lib/history",
      "lib/logs",
      "lib/steps",
      "lib/wait",
      "type:lib/load",
    ],
    ...["lib/arg.ts", "lib/clock.ts", "lib/errors.ts", "lib/ops.ts", "lib/recipe.ts", "lib/resolve.ts"],
    ...["lib/scopes.ts", "type:lib/target.ts"],
  ],
  "lib/shell.ts": ["lib/run", "lib/plan", "lib/config.ts", "lib/errors.ts", "type:lib/ops.ts"],
  "lib/wait": ["lib/api", "lib/errors.ts", "type:lib/clock.ts"],
  "lib/logs": ["lib/api", "lib/errors.ts", "type:lib/clock.ts"],
  "lib/arg.ts": ["lib/api", "lib/json-value.ts"],
  "lib/plan": ["lib/errors.ts", "lib/near.ts", "lib/plain-text.ts", "lib/scopes.ts", "type:lib/api"],
  "lib/gpus": ["lib/plan", "type:lib/api"],
  "lib/history": ["lib/errors.ts", "type:lib/plan"],
  "lib/load": [
    ...["lib/errors.ts", "lib/near.ts", "lib/recipe.ts", "lib/version.ts"],
    ...["later:lib/mod.ts", "later:lib/sandbox", "later:lib/shell.ts", "later:lib/testing"],
  ],
  "lib/team": [
    ...["lib/load", "lib/arg.ts", "lib/errors.ts", "lib/near.ts", "lib/recipe.ts", "lib/version.ts"],
  ],
  "lib/testing": [
    ...["lib/run", "lib/load", "lib/sandbox", "type:lib/plan", "type:lib/recipe.ts", "type:lib/target.ts"],
  ],
  "lib/api": ["lib/errors.ts", "lib/clock.ts", "lib/scopes.ts", "lib/version.ts", "type:lib/target.ts"],
  "lib/sandbox": ["type:lib/api", "type:lib/clock.ts"],
  "lib/resolve.ts": ["lib/api", "lib/errors.ts", "later:lib/_endpoint-by-name.ts"],
  "lib/_endpoint-by-name.ts": ["lib/api", "lib/errors.ts", "lib/near.ts"],
  "lib/config.ts": [
    "lib/_dot-env.ts",
    "lib/_folders.ts",
    "lib/_key-file.ts",
    "lib/_proxy.ts",
    "lib/api",
    "lib/errors.ts",
    "lib/target.ts",
  ],
  "lib/_folders.ts": ["lib/errors.ts", "type:lib/target.ts"],
  "lib/_key-file.ts": ["lib/_folders.ts", "lib/errors.ts", "type:lib/api"],
  "lib/_proxy.ts": ["lib/api", "lib/errors.ts", "type:lib/target.ts"],
  "lib/recipe.ts": ["lib/errors.ts", "lib/scopes.ts", "type:lib/arg.ts", "type:lib/ops.ts"],
  "lib/ops.ts": ["type:lib/scopes.ts"],
  "lib/scopes.ts": ["lib/api"],
};

/** Each package has one door; for types alone the folder is enough. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  citty: ["bin/_command.ts", "type:bin/"],
  consola: ["bin/_report.ts"],
  "eventsource-parser": ["lib/api/sse.ts"],
  ofetch: ["lib/api/wire.ts"],
  valibot: [
    "lib/api/_parse.ts",
    "lib/api/billing.ts",
    "lib/api/releases.ts",
    "lib/api/workers.ts",
    "lib/api/schema.ts",
    "lib/api/patch-schema.ts",
    "lib/api/health.ts",
    "lib/arg.ts",
    "lib/recipe.ts",
    "lib/team/config.ts",
  ],
  "@bomb.sh/tab": ["bin/_completion-tree.ts", "bin/commands/completions.ts"],
  "smol-toml": ["lib/_key-file.ts"],
  "srvx/node": ["lib/sandbox/serve.ts"],
  "zx/core": ["lib/shell.ts"],
  "@babel/parser": ["lib/load/_module-requests.ts"],
};

type Kind = "value" | "type" | "later";

interface Import {
  readonly from: string;
  /** A file of this repository, or a package. */
  readonly to: string;
  readonly kind: Kind;
}

const FILES = ["bin", "lib", "recipes"].flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => join(folder, String(name)).replaceAll("\\", "/"))
    .filter((name) => name.endsWith(".ts")),
);
const IMPORTS = FILES.flatMap(importsOf);

describe("imports", () => {
  test("are found: every folder has some", () => {
    assert.ok(IMPORTS.length > 200);
    for (const unit of ["bin", "recipes", "lib/api", "lib/plan", "lib/run", "lib/sandbox", "lib/load"]) {
      assert.ok(
        IMPORTS.some(({ from }) => unitOf(from) === unit),
        unit,
      );
    }
  });

  test("go in the directions of the design", () => {
    const wrong = IMPORTS.filter(({ to }) => FILES.includes(to)).filter((found) => !isAllowed(found));
    assert.deepEqual(wrong, []);
  });

  test("name files that are there", () => {
    const paths = IMPORTS.filter(({ to }) => /^(bin|lib|recipes)\//.test(to));
    assert.deepEqual(
      paths.filter(({ to }) => !FILES.includes(to)),
      [],
    );
  });

  test("reach a package through its one door, and no package that package.json does not have", () => {
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const packages = IMPORTS.filter(({ to }) => !/^(bin|lib|recipes)\//.test(to));
    const wrong = packages.filter(({ from, to, kind }) => {
      const doors = DOORS[to] ?? [];
      return !doors.some((door) =>
        door.startsWith("type:") ? kind === "type" && from.startsWith(door.slice(5)) : door === from,
      );
    });
    assert.deepEqual(wrong, []);
    const used = new Set(packages.map(({ to }) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0]));
    assert.deepEqual(
      Object.keys(dependencies).filter((name) => !used.has(name)),
      [],
    );
  });

  test("have no cycle among values", () => {
    const graph = new Map<string, string[]>();
    for (const { from, to, kind } of IMPORTS) {
      if (kind === "value" && FILES.includes(to)) graph.set(from, [...(graph.get(from) ?? []), to]);
    }
    assert.deepEqual(cycles(graph), []);
  });
});

describe("the library", () => {
  const sources = FILES.filter((name) => name.startsWith("lib/")).map(
    (name) => [name, codeOf(name)] as const,
  );

  test("never prints", () => {
    const printing = sources.filter(([, code]) =>
      /\bconsole\s*\.|process\.(stdout|stderr)|Deno\.std/.test(code),
    );
    assert.deepEqual(
      printing.map(([name]) => name),
      [],
    );
  });

  test("reads the environment only in lib/config.ts", () => {
    const reading = sources.filter(([, code]) =>
      /process\.env|Deno\.env|Bun\.env|import\.meta\.env/.test(code),
    );
    assert.deepEqual(
      reading.map(([name]) => name),
      ["lib/config.ts"],
    );
  });
});

describe("the way of `serverless get`", () => {
  test("loads neither valibot, consola, node:tty nor the parser, before it must", () => {
    const seen = new Set(["bin/readback.ts", "bin/_run.ts", "bin/commands/serverless-get.ts"]);
    for (const file of seen) {
      for (const { from, to, kind } of IMPORTS) if (from === file && kind === "value") seen.add(to);
    }
    const heavy = ["valibot", "consola", "@babel/parser", "smol-toml", "srvx/node", "citty"];
    assert.deepEqual(
      heavy.filter((name) => seen.has(name)),
      [],
    );
    const builtIns = [...seen].filter((name) => FILES.includes(name) && /from "node:/.test(codeOf(name)));
    assert.deepEqual(builtIns, []);
  });
});

function importsOf(from: string): readonly Import[] {
  const code = codeOf(from);
  // A template that is a whole value may be the text of a file, with imports of its own.
  const outside = code.replace(/= `[^`]*`;$/gms, "``;");
  const statements = [...outside.matchAll(/^(import|export)(\s+type)?\b[^;"'`]*?\bfrom\s+"([^"]+)"/gm)].map(
    ([, , type, to]) => ({ to, kind: type === undefined ? ("value" as const) : ("type" as const) }),
  );
  const bare = [...code.matchAll(/^import\s+"([^"]+)"/gm)].map(([, to]) => ({ to, kind: "value" as const }));
  // typeof import() and import().X are types.
  const later = [...code.matchAll(/(typeof\s+)?\bimport\("([^"]+)"\)(\.[A-Z])?/g)].map(
    ([, type, to, name]) => ({
      to,
      kind: type === undefined && name === undefined ? ("later" as const) : ("type" as const),
    }),
  );
  return [...statements, ...bare, ...later].flatMap(({ to = "", kind }) => {
    if (to.startsWith("node:")) return [];
    return [
      { from, to: to.startsWith(".") ? normalize(join(dirname(from), to)).replaceAll("\\", "/") : to, kind },
    ];
  });
}

/** The code without comments, which may show imports. */
function codeOf(name: string): string {
  return readFileSync(join(ROOT, name), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/(^|\s)\/\/.*$/gm, "");
}

function unitOf(file: string): string {
  const [top = "", second = ""] = file.split("/");
  return top === "lib" ? `${top}/${second}` : top;
}

function isAllowed({ from, to, kind }: Import): boolean {
  const [own, target] = [unitOf(from), unitOf(to)];
  if (own === target) return true;
  return (DIRECTIONS[own] ?? []).some((rule) => {
    const [, only, open = ""] = /^(?:(type|later):)?(.*)$/.exec(rule) ?? [];
    const fits =
      open === target || (open === "lib/*" && target.startsWith("lib/") && target !== "lib/sandbox");
    return fits && (only === undefined || only === kind);
  });
}

/** Every file that can be reached from itself, with one way. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(" → "));
    if (way.includes(file) || done.has(file)) return;
    for (const next of graph.get(file) ?? []) walk(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) walk(file, []);
  return found;
}
