import { compactJson, elements, jsonKind, members } from "./json-text.ts";

/** Deeper than this a value is written as JSON, which is YAML too. */
const MAX_DEPTH = 64;

/**
 * Writes a JSON text as YAML: one entry a line, numbers as they are written, keys in their order. No value goes through
 * JavaScript, so that 64-bit numbers and `1.0` stay.
 *
 * @throws JsonTextError where it is not JSON
 */
export function yamlText(json: string): string {
  return `${lines(compactJson(json), 0).join("\n")}\n`;
}

function lines(json: string, depth: number): readonly string[] {
  const kind = jsonKind(json);
  if (depth >= MAX_DEPTH) return [json];
  if (kind === "object") return objectLines(json, depth);
  return kind === "array" ? arrayLines(json, depth) : [scalar(json)];
}

function objectLines(json: string, depth: number): readonly string[] {
  const found = members(json) ?? [];
  if (found.length === 0) return ["{}"];
  return found.flatMap(({ key, value }) => {
    const below = lines(value, depth + 1);
    const [first = ""] = below;
    if (isBlock(value, first)) return [`${keyText(key)}:`, ...below.map(indented)];
    return [`${keyText(key)}: ${first}`];
  });
}

function arrayLines(json: string, depth: number): readonly string[] {
  const found = elements(json) ?? [];
  if (found.length === 0) return ["[]"];
  return found.flatMap((value) => {
    const [first = "", ...rest] = lines(value, depth + 1);
    return [`- ${first}`, ...rest.map(indented)];
  });
}

/** True for what takes lines of its own: an object or array that is not empty, and not written as JSON. */
function isBlock(json: string, firstLine: string): boolean {
  const kind = jsonKind(json);
  return (kind === "object" || kind === "array") && firstLine !== json;
}

function indented(line: string): string {
  return `  ${line}`;
}

/** Words that YAML could take for something else stay in quotes. */
function keyText(key: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_-]*$/.test(key) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(key);
  return plain ? key : quoted(key);
}

function scalar(json: string): string {
  return jsonKind(json) === "string" ? quoted(String(JSON.parse(json))) : json.trim();
}

/** Of the escapes of JSON, YAML does not know halves of a pair: characters are written as they are. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
