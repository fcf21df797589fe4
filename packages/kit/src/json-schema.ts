// Makes the JSON schemas of the services, with the types of typebox: `Static` of a schema is the type of what
// it accepts. Typebox's own builders are 373 modules, which took a tenth of a start to load; these are the
// ones that the services use, and make the same schemas.
import type { Type as Typebox } from 'typebox';

type Builders = Pick<
  typeof Typebox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Omit'
  | 'Optional'
  | 'Partial'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unsafe'
>;

type Schema = Readonly<Record<string, unknown>>;
type Properties = Readonly<Record<string, Schema>>;

/** Schemas of members that an object may lack. A copy by `...` may not be lacked, as with typebox. */
const optional = new WeakSet<Schema>();

function buildObject(properties: Properties, options?: Schema): Schema {
  const required = Object.keys(properties).filter((name) => !isOptional(properties[name]));
  return {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties,
    ...options,
  };
}

function isOptional(schema: Schema | undefined): boolean {
  return schema !== undefined && optional.has(schema);
}

function makeOptional(schema: Schema): Schema {
  const copy = { ...schema };
  optional.add(copy);
  return copy;
}

/** The object without what is said of it besides its members. */
function changedObject(
  { properties }: { readonly properties: Properties },
  change: (members: readonly [string, Schema][]) => readonly (readonly [string, Schema])[],
): Schema {
  return buildObject(Object.fromEntries(change(Object.entries(properties))));
}

/** @param names any text, or an enumeration of all members */
function buildMapSchema(names: Schema, values: Schema, options?: Schema): Schema {
  const { enum: members } = names;
  if (!Array.isArray(members)) {
    return { type: 'object', patternProperties: { '^.*$': values }, ...options };
  }
  const properties = members.map((name: unknown) => [String(name), values] as const);
  return buildObject(Object.fromEntries(properties), options);
}

const builders = {
  Array: (items: Schema, options?: Schema) => ({ type: 'array', items, ...options }),
  Boolean: (options?: Schema) => ({ type: 'boolean', ...options }),
  Enum: (values: readonly unknown[], options?: Schema) => ({ enum: values, ...options }),
  Integer: (options?: Schema) => ({ type: 'integer', ...options }),
  Literal: (value: unknown, options?: Schema) => ({ type: typeof value, const: value, ...options }),
  Null: (options?: Schema) => ({ type: 'null', ...options }),
  Number: (options?: Schema) => ({ type: 'number', ...options }),
  Object: buildObject,
  Omit: (from: { readonly properties: Properties }, names: readonly string[]) =>
    changedObject(from, (members) => members.filter(([name]) => !names.includes(name))),
  Optional: makeOptional,
  Partial: (from: { readonly properties: Properties }) =>
    changedObject(from, (members) =>
      members.map(([name, schema]) => [name, makeOptional(schema)] as const),
    ),
  Record: buildMapSchema,
  String: (options?: Schema) => ({ type: 'string', ...options }),
  Union: (schemas: readonly Schema[], options?: Schema) => ({ anyOf: schemas, ...options }),
  Unsafe: (schema: Schema) => (isOptional(schema) ? makeOptional(schema) : { ...schema }),
};

// A test compares what they make with what typebox makes.
export const Type = builders as unknown as Builders;
