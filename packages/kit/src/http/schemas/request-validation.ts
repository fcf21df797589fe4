// The schema validators of a Fastify app: all errors of a part at once, up to as many as one answer names;
// nothing removed; and types turned (`"5"` to 5) only where HTTP has nothing but text: query, path and
// headers.
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import { atFirstCall } from './at-first-call.ts';
import { FIELD_ERRORS_MAX } from '../field-errors.ts';
import { compileErrorCollector, type CollectErrors } from './errors.ts';
import { oncePerText } from './once-per-text.ts';

const OPTIONS = {
  allErrors: true,
  verbose: true,
  strict: false,
  allowUnionTypes: true,
} as const;
/** Infinity is no number: the body parser puts it where a number cannot be kept exactly. */
const BODY_OPTIONS = { ...OPTIONS, strictNumbers: true } as const;

const firstErrorAjv = new Ajv({ ...BODY_OPTIONS, allErrors: false });
// The first judges every schema as a schema, for the others too: what it needs for that takes a
// twentieth of the time of a start.
const bodyAjv = new Ajv({ ...BODY_OPTIONS, validateSchema: false });
// Not with strictNumbers: a text of 400 digits is turned into Infinity and then would pass every bound.
const textAjv = new Ajv({
  ...OPTIONS,
  coerceTypes: true,
  useDefaults: true,
  validateSchema: false,
});

export const compileRequestSchema: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart }) =>
  httpPart === 'body' ? compileBodySchema(schema) : compileTextSchema(schema);

const compileBodySchema = oncePerText(
  (schema: FastifySchema): ((body: unknown) => SchemaResult) => {
    const check = compileCheck<unknown>(schema);
    return (body) => {
      const checked = check(body);
      return checked.kind === 'valid' ? { value: body } : { error: [...checked.errors] };
    };
  },
);

/** How a whole number is written in a query or path; `0x10`, `1e3` and ` 5` are texts. */
const DECIMAL = /^-?\d+$/;
/** AJV takes any text for a number that JavaScript does, but not this one. */
const NO_NUMBER = '';

const compileTextSchema = oncePerText((schema: object): ((part: unknown) => SchemaResult) => {
  void firstErrorAjv.validateSchema(schema, true);
  const validate = textAjv.compile(schema);
  const wholeNumbers = listWholeNumbers(schema);
  return (part) => {
    if (typeof part === 'object' && part !== null) {
      for (const name of wholeNumbers) {
        const text: unknown = Reflect.get(part, name);
        if (typeof text === 'string' && !DECIMAL.test(text)) Reflect.set(part, name, NO_NUMBER);
      }
    }
    return validate(part) ? { value: part } : { error: validate.errors ?? [] };
  };
});

type SchemaResult = { readonly value: unknown } | { readonly error: ErrorObject[] };

/** Names of the parameters that are whole numbers. */
function listWholeNumbers(schema: {
  readonly properties?: Readonly<Record<string, { readonly type?: unknown }>>;
}): readonly string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, { type }]) => type === 'integer')
    .map(([name]) => name);
}

/**
 * A validator for a value that is not a whole body, such as one event of a batch. It names as many
 * errors as one answer does. It is compiled with the first value.
 */
export function compileValueSchema<Value>(schema: object): ValueCheck<Value> {
  return atFirstCall(() => compileCheck<Value>(schema));
}

function compileCheck<Value>(schema: object): ValueCheck<Value> {
  const isValid: ValidateFunction<Value> = firstErrorAjv.compile<Value>(schema);
  // Most values are valid.
  let collect: CollectErrors | undefined;
  return (value) => {
    if (isValid(value)) return { kind: 'valid', value };
    collect ??= compileErrorCollector(bodyAjv, schema);
    const errors = collect(value, FIELD_ERRORS_MAX);
    if (errors.length === 0) throw new Error('a value was refused without an error');
    return { kind: 'invalid', errors };
  };
}

/** As {@link compileValueSchema}, but stops at the first error, for callers that report only one. */
export function compileFirstErrorSchema<Value>(schema: object): ValueCheck<Value> {
  return atFirstCall(() => {
    const validate: ValidateFunction<Value> = firstErrorAjv.compile<Value>(schema);
    return (value: unknown): Checked<Value> => {
      if (validate(value)) return { kind: 'valid', value };
      return { kind: 'invalid', errors: validate.errors ?? [] };
    };
  });
}

export type ValueCheck<Value> = (value: unknown) => Checked<Value>;

export type Checked<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly errors: readonly ErrorObject[] };
