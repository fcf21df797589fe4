// The schema validators of a Fastify app: every error of a part at once, nothing removed, and types
// turned (`"5"` to 5) only where HTTP has nothing but text: query, path and headers.
import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import { takeExcessOff } from './schema-excess.ts';

const OPTIONS = {
  allErrors: true,
  verbose: true,
  strict: false,
  allowUnionTypes: true,
} as const;
/** NaN is no number: the body parser puts it where a number cannot be kept exactly. */
const BODY_OPTIONS = { ...OPTIONS, strictNumbers: true } as const;

const firstErrorAjv = new Ajv({ ...BODY_OPTIONS, allErrors: false });
// The first judges every schema as a schema, for the others too: what it needs for that takes a
// twentieth of the time of a start.
const bodyAjv = new Ajv({ ...BODY_OPTIONS, validateSchema: false });
// Not with strictNumbers: "1e400" is turned into Infinity and then would pass every bound.
const textAjv = new Ajv({
  ...OPTIONS,
  coerceTypes: true,
  useDefaults: true,
  validateSchema: false,
});

export const compileRequestSchema: FastifySchemaCompiler<FastifySchema> = ({
  schema,
  httpPart,
}) => {
  if (httpPart !== 'body') return compileTextSchema(schema);
  const check = compileValueSchema<unknown>(schema);
  return (body: unknown) => {
    const checked = check(body);
    return checked.kind === 'valid' ? { value: body } : { error: [...checked.errors] };
  };
};

function compileTextSchema(schema: object): ValidateFunction {
  void firstErrorAjv.validateSchema(schema, true);
  return textAjv.compile(schema);
}

/**
 * A validator for a value that is not a whole body, such as one event of a batch. It names every
 * error, but for those in what is beyond the bounds of the schema.
 */
export function compileValueSchema<Value>(schema: object): ValueCheck<Value> {
  const isValid: ValidateFunction<Value> = firstErrorAjv.compile<Value>(schema);
  const validate: ValidateFunction<Value> = bodyAjv.compile<Value>(schema);
  return (value) => {
    // Most values are valid; only what is not is worth the walk that bounds its errors.
    if (isValid(value)) return { kind: 'valid', value };
    const bounded = takeExcessOff(schema, value);
    const found = checked(validate, bounded.value);
    const others = found.kind === 'invalid' ? found.errors : [];
    return { kind: 'invalid', errors: [...bounded.errors, ...others] };
  };
}

/** As {@link compileValueSchema}, but stops at the first error: when more would not be told. */
export function compileFirstErrorSchema<Value>(schema: object): ValueCheck<Value> {
  const validate: ValidateFunction<Value> = firstErrorAjv.compile<Value>(schema);
  return (value) => checked(validate, value);
}

function checked<Value>(validate: ValidateFunction<Value>, value: unknown): Checked<Value> {
  if (validate(value)) return { kind: 'valid', value };
  return { kind: 'invalid', errors: validate.errors ?? [] };
}

export type ValueCheck<Value> = (value: unknown) => Checked<Value>;

export type Checked<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly errors: readonly ErrorObject[] };
