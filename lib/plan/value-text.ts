import { isSecretReference } from "./secrets.ts";

/** A field's value as a person reads it; values of env are masked, references to secrets are not. */
export function valueText(path: string, value: unknown): string {
  if (!present(value)) return "none";
  if (path.startsWith("env.")) return isSecretReference(value) ? String(value) : "***";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.map(itemText).join(", ");
  if (value === "") return "none";
  const unit = UNITS[path] ?? "";
  return `${typeof value === "object" ? JSON.stringify(value) : String(value)}${unit}`;
}

/** A list's change as what goes and what comes; other values as before → after. */
export function changeText(path: string, before: unknown, after: unknown): string {
  if (path.startsWith("env.") && present(before) && present(after))
    return `${valueText(path, before)} → ${valueText(path, after)} (changed)`;
  if (isPlainChange(path, before, after)) return `${valueText(path, before)} → ${valueText(path, after)}`;
  const old = (before as readonly unknown[]).map(itemText);
  const now = (after as readonly unknown[]).map(itemText);
  const gone = old.filter((item) => !now.includes(item)).map((item) => `− ${item}`);
  const come = now.filter((item) => !old.includes(item)).map((item) => `+ ${item}`);
  const kept = old.length - gone.length;
  const head = old.length === 0 ? "none → " : kept > 0 ? `${kept} kept  ` : "";
  return `${head}${[...gone, ...come].join("  ")}`;
}

/** Units of fields, as they are sent (runpod-api.md 2.4). */
const UNITS: Readonly<Record<string, string>> = {
  "workers.idleTimeout": " s",
  "scaling.queueDelay": " s",
  timeout: " ms",
  disk: " GB",
};

/** Pools are shown whole: their order may be a priority. */
function isPlainChange(path: string, before: unknown, after: unknown): boolean {
  return path === "gpu.pools" || !Array.isArray(before) || !Array.isArray(after) || after.length === 0;
}

function present(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function itemText(item: unknown): string {
  return typeof item === "string" ? item : JSON.stringify(item);
}
