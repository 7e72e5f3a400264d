import * as v from "valibot";
import { ReadbackError } from "../errors.ts";
import { nearest } from "../near.ts";

/** What a team's `readback.config.ts`, `.js` or `.json` may say. Folders are relative to its own. */
export interface Config {
  /** Folders whose files are recipes that go by their name. @default none */
  readonly recipes?: readonly string[];
  /** Hosts beside Runpod's, `name` or `name:port`, that may be sent the key, over https. @default none */
  readonly allowHosts?: readonly string[];
  /** Where runs are recorded; `READBACK_HISTORY_DIR` goes before it. @default the person's own folder */
  readonly historyFolder?: string;
  /** Values for flags that are not given, by recipe and by flag: `{ "pin-gpu": { "min-cuda": "12.4" } }`. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, string | number>>>>;
}

const CONFIG = v.strictObject({
  recipes: v.optional(v.array(filled("a folder"))),
  allowHosts: v.optional(
    v.array(
      v.pipe(
        v.string("expected a host"),
        v.regex(
          /^[a-z0-9-]+(\.[a-z0-9-]+)*(:\d+)?$/i,
          "expected a host such as runpod.example or runpod.example:8443",
        ),
      ),
    ),
  ),
  historyFolder: v.optional(filled("a folder")),
  defaults: v.optional(
    v.record(
      v.string(),
      v.record(
        v.string(),
        v.union([v.string(), v.number()], "expected a text or a number"),
        "expected flags",
      ),
      "expected recipes",
    ),
  ),
});

/**
 * Checks what a config file says.
 *
 * @param shown the file as messages call it
 * @throws usage_error - the field and what is wrong with it
 */
export function parseConfig(value: unknown, shown: string): Config {
  const parsed = v.safeParse(CONFIG, Array.isArray(value) ? null : value); // a list passes for an object
  if (parsed.success) return parsed.output as Config;
  const [issue] = parsed.issues;
  throw new ReadbackError("usage_error", `${shown}: ${problemOf(issue)}`, { details: { path: shown } });
}

function problemOf(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue);
  if (path === null) return "expected an object with recipes, allowHosts, historyFolder or defaults";
  if (issue.type === "strict_object" && issue.expected === "never")
    return `${path} is no field${nearField(path)}`;
  return `${path} is ${JSON.stringify(issue.input) ?? "undefined"}: ${issue.message}`;
}

function nearField(name: string): string {
  const known = Object.keys(CONFIG.entries);
  const near = nearest(name, known);
  return near === undefined ? `; there are ${known.join(", ")}` : `, did you mean ${near}?`;
}

function filled(what: string): v.GenericSchema<unknown, string> {
  return v.pipe(
    v.string(`expected ${what}`),
    v.check((text) => text.trim() !== "", `expected ${what}, got nothing`),
  );
}
