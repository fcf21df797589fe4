// Writes unions of a schema in words that a serializer follows by itself. For each member of any other union
// it compiles a validator: for the unions with null that most answers have, that was half of the time of a
// first answer.

type Schema = Readonly<Record<string, unknown>>;

/** What holds one schema, many of them, or many by name. */
const HOLDERS: Readonly<Record<string, 'schema' | 'schemas' | 'named'>> = {
  items: 'schema',
  additionalProperties: 'schema',
  anyOf: 'schemas',
  oneOf: 'schemas',
  allOf: 'schemas',
  properties: 'named',
  patternProperties: 'named',
};

/**
 * The schema for a serializer: a union of a schema and null is that schema, `nullable`, and a union of
 * literals and enumerations is one enumeration. Values that the schema allows are written alike.
 */
export function withPlainUnions(schema: Schema): Schema {
  const inner = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, withinKeyword(name, value)]),
  );
  return plainUnion(inner);
}

function withinKeyword(name: string, value: unknown): unknown {
  switch (Object.hasOwn(HOLDERS, name) ? HOLDERS[name] : undefined) {
    case 'schema':
      return withinSchema(value);
    case 'schemas':
      return Array.isArray(value) ? value.map(withinSchema) : value;
    case 'named':
      return isSchema(value)
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withinSchema(one)]))
        : value;
    case undefined:
      return value;
  }
}

function withinSchema(value: unknown): unknown {
  return isSchema(value) ? withPlainUnions(value) : value;
}

function plainUnion(schema: Schema): Schema {
  const { anyOf, ...besides } = schema;
  if (!Array.isArray(anyOf) || !anyOf.every(isSchema)) return schema;
  const values = anyOf.map(listValues);
  if (values.every((each) => each !== undefined)) return { ...besides, enum: values.flat() };
  const [only, ...others] = anyOf.filter((member) => member['type'] !== 'null');
  const hasNull = others.length < anyOf.length - 1;
  const isPlain = only !== undefined && others.length === 0 && typeof only['type'] === 'string';
  return hasNull && isPlain && listValues(only) === undefined
    ? { ...besides, ...only, nullable: true }
    : schema;
}

/** The values that a schema allows, if it names them. */
function listValues(schema: Schema): readonly unknown[] | undefined {
  if (schema['type'] === 'null') return [null];
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  const { enum: values } = schema;
  return Array.isArray(values) ? values : undefined;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
