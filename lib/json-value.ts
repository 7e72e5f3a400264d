/**
 * A JSON text that goes to the service as it is written: 64-bit numbers, `1.0`, key names, order and duplicate keys stay.
 * What `arg.json()` gives, and what the step `run` takes beside plain objects.
 */
export interface JsonText {
  readonly jsonText: string;
}

/** Marks a text as JSON to be sent as it is written; whether it is JSON is checked where it is sent. */
export function jsonText(text: string): JsonText {
  return { jsonText: text };
}

/** True for what {@link jsonText} gives. */
export function isJsonText(value: unknown): value is JsonText {
  return typeof value === "object" && value !== null && typeof (value as JsonText).jsonText === "string";
}

/** The text of an input: as written, or of a plain value. */
export function textOfJson(value: JsonText | object): string {
  return isJsonText(value) ? value.jsonText : JSON.stringify(value);
}
