// Request and answer schemas of the fields of events and lines, made from the tables that describe
// them (ledger/record/fields.ts).
import { Type } from '@lothub/kit/json-schema';
import type { TSchema } from 'typebox';
import { nullableText, optionalText, text } from '../http.ts';
import { CODE_RULE } from '../ledger/record/code-text.ts';
import type { Field, FieldFacts } from '../ledger/record/fields.ts';

/** Makes the schemas of fields in requests: an optional field may be absent or null. */
export function sentSchemas(fields: readonly Field[]): Record<string, TSchema> {
  return Object.fromEntries(fields.map(({ name, facts }) => [name, sentSchema(facts)]));
}

function sentSchema(facts: FieldFacts): TSchema {
  const { description, example } = facts;
  if (facts.kind === 'text') {
    const describe = facts.required ? text : optionalText;
    const rule = facts.isKey ? `; ${CODE_RULE}` : '';
    return describe(facts.charsMax, description + rule, String(example));
  }
  const schema = { ...valueSchema(facts), description, examples: [example] };
  if (facts.required) return Type.Unsafe(schema);
  return Type.Optional(Type.Unsafe(orNull(schema, facts)));
}

function valueSchema(facts: Exclude<FieldFacts, { kind: 'text' }>): TSchema {
  switch (facts.kind) {
    case 'decimal':
      return { type: 'number', minimum: facts.minimum, maximum: facts.maximum };
    case 'instant':
      return { type: 'string', minLength: 1, maxLength: facts.charsMax };
    case 'choice':
      // The schema has no type, because a number would cause two errors.
      return { enum: [...facts.choices] };
  }
}

function orNull(schema: TSchema, facts: Exclude<FieldFacts, { kind: 'text' }>): TSchema {
  if (facts.kind === 'choice') return { ...schema, enum: [...facts.choices, null] };
  return { ...schema, type: [facts.kind === 'decimal' ? 'number' : 'string', 'null'] };
}

/** Makes the schemas of fields in responses to their tenant: null when there is no value. */
export function shownSchemas(fields: readonly Field[]): Record<string, TSchema> {
  return Object.fromEntries(fields.map(({ name, facts }) => [name, shownSchema(facts)]));
}

function shownSchema(facts: FieldFacts): TSchema {
  const description = facts.note === null ? {} : { description: facts.note };
  const type = facts.kind === 'decimal' ? 'number' : 'string';
  return Type.Unsafe({ type: facts.required ? type : [type, 'null'], ...description });
}

/**
 * Makes the schemas of fields in public responses; each may be null, because a correction has none
 * of them.
 */
export function publicSchemas(fields: readonly Field[]): Record<string, TSchema> {
  return Object.fromEntries(fields.map(({ name, facts }) => [name, publicSchema(facts)]));
}

function publicSchema(facts: FieldFacts): TSchema {
  const description = facts.note ?? 'Null of a correction';
  switch (facts.kind) {
    case 'decimal':
      return Type.Unsafe({ type: ['number', 'null'], description });
    case 'choice':
      return Type.Unsafe({
        type: ['string', 'null'],
        enum: [...facts.choices, null],
        description,
      });
    case 'text':
    case 'instant':
      return nullableText(description);
  }
}
