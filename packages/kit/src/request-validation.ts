// The schema validators of a Fastify app: every error of a part at once, nothing removed, and types
// turned (`"5"` to 5) only where HTTP has nothing but text: query, path and headers.
import { Ajv } from 'ajv';
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';

const OPTIONS = { allErrors: true, verbose: true, strict: false, allowUnionTypes: true } as const;

const bodyAjv = new Ajv(OPTIONS);
const textAjv = new Ajv({ ...OPTIONS, coerceTypes: true, useDefaults: true });

export const compileRequestSchema: FastifySchemaCompiler<FastifySchema> = ({
  schema,
  httpPart,
}) => {
  const ajv = httpPart === 'body' ? bodyAjv : textAjv;
  return ajv.compile(schema);
};

/** A validator for a value that is not a whole body, such as one event of a batch. */
export function compileValueSchema<Value>(schema: object): ValueCheck<Value> {
  const validate: ValidateFunction<Value> = bodyAjv.compile<Value>(schema);
  return (value): Checked<Value> =>
    validate(value) ? { kind: 'valid', value } : { kind: 'invalid', errors: validate.errors ?? [] };
}

export type ValueCheck<Value> = (value: unknown) => Checked<Value>;

export type Checked<Value> =
  | { readonly kind: 'valid'; readonly value: Value }
  | { readonly kind: 'invalid'; readonly errors: readonly ErrorObject[] };
