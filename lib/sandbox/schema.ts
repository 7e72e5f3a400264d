/** The part of JSON Schema that the API's bodies and parameters use. Properties that are not named are refused. */
export interface Schema {
  readonly type?: JsonType | readonly JsonType[];
  readonly properties?: Readonly<Record<string, Schema>>;
  /** The values of a map with free keys. */
  readonly values?: Schema;
  readonly required?: readonly string[];
  /** A key that needs others beside it. */
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly uniqueItems?: boolean;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** One of several objects, told apart by the value of their `type`. */
  readonly byType?: Readonly<Record<string, Schema>>;
}

type JsonType = "object" | "array" | "string" | "number" | "integer" | "null" | "boolean";

/** What is wrong with a value, in the words of the API's validator; empty when it is valid. */
export function violations(schema: Schema, value: unknown, path = "$"): readonly string[] {
  if (schema.byType) return violations(branch(schema.byType, value), value, path);
  const wrongType = typeViolation(schema, value);
  if (wrongType !== null) return [`${path}: ${wrongType}`];
  return [
    ...ownViolations(schema, value).map((text) => `${path}: ${text}`),
    ...(isObject(value) ? objectViolations(schema, value, path) : []),
    ...(Array.isArray(value) && schema.items
      ? value.flatMap((item, i) => violations(schema.items ?? {}, item, `${path}[${i}]`))
      : []),
  ];
}

/** True for what JSON calls an object. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function branch(byType: Readonly<Record<string, Schema>>, value: unknown): Schema {
  const type = isObject(value) ? value["type"] : undefined;
  if (typeof type === "string" && Object.hasOwn(byType, type)) return byType[type] ?? {};
  return {
    type: "object",
    required: ["type"],
    properties: { type: { enum: Object.keys(byType) } },
    values: {},
  };
}

function typeViolation(schema: Schema, value: unknown): string | null {
  if (schema.type === undefined) return null;
  const wanted = typeof schema.type === "string" ? [schema.type] : schema.type;
  return wanted.some((type) => isOfType(type, value))
    ? null
    : `got ${typeName(value)}, want ${wanted.join(" or ")}`;
}

function isOfType(type: JsonType, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  return type === typeName(value);
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function ownViolations(schema: Schema, value: unknown): readonly string[] {
  const found: (string | false)[] = [
    schema.enum !== undefined &&
      !schema.enum.includes(value as string) &&
      `value must be one of ${schema.enum.map((v) => `'${v}'`).join(", ")}`,
    ...(typeof value === "string" ? textViolations(schema, value) : []),
    ...(typeof value === "number" ? numberViolations(schema, value) : []),
    ...(Array.isArray(value) ? listViolations(schema, value) : []),
  ];
  return found.filter((text) => text !== false);
}

function textViolations(schema: Schema, value: string): readonly (string | false)[] {
  const { minLength, pattern } = schema;
  return [
    minLength !== undefined &&
      value.length < minLength &&
      `minLength: got ${value.length}, want ${minLength}`,
    pattern !== undefined &&
      !new RegExp(pattern, "u").test(value) &&
      `'${value}' does not match pattern '${pattern}'`,
  ];
}

function numberViolations(schema: Schema, value: number): readonly (string | false)[] {
  const { minimum, maximum } = schema;
  return [
    minimum !== undefined && value < minimum && `minimum: got ${value}, want ${minimum}`,
    maximum !== undefined && value > maximum && `maximum: got ${value}, want ${maximum}`,
  ];
}

function listViolations(schema: Schema, value: readonly unknown[]): readonly (string | false)[] {
  const { minItems } = schema;
  return [
    minItems !== undefined && value.length < minItems && `minItems: got ${value.length}, want ${minItems}`,
    schema.uniqueItems === true && equalItems(value),
  ];
}

function equalItems(items: readonly unknown[]): string | false {
  const texts = items.map((item) => canonical(item));
  const second = texts.findIndex((text, i) => texts.indexOf(text) !== i);
  return second >= 0 && `items at ${texts.indexOf(texts[second] ?? "")} and ${second} are equal`;
}

/** The order of keys makes no other value. */
function canonical(item: unknown): string {
  return JSON.stringify(isObject(item) ? Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)) : item);
}

function objectViolations(schema: Schema, value: Record<string, unknown>, path: string): readonly string[] {
  return [
    ...missing(schema, value).map((text) => `${path}: ${text}`),
    ...unknownKeys(schema, value).map((text) => `${path}: ${text}`),
    ...Object.entries(value).flatMap(([key, item]) => {
      const own =
        schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : schema.values;
      return own === undefined ? [] : violations(own, item, `${path}.${key}`);
    }),
  ];
}

function missing(schema: Schema, value: Record<string, unknown>): readonly string[] {
  const required = (schema.required ?? []).filter((key) => !Object.hasOwn(value, key));
  const dependent = Object.entries(schema.dependentRequired ?? {}).flatMap(([key, needed]) =>
    Object.hasOwn(value, key) && needed.some((other) => !Object.hasOwn(value, other))
      ? [`properties '${needed.join("', '")}' required, if '${key}' exists`]
      : [],
  );
  return [...required.map((key) => `missing property '${key}'`), ...dependent];
}

function unknownKeys(schema: Schema, value: Record<string, unknown>): readonly string[] {
  if (schema.properties === undefined || schema.values !== undefined) return [];
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(schema.properties ?? {}, key));
  return unknown.length === 0 ? [] : [`additional properties '${unknown.join("', '")}' not allowed`];
}
