// What a value of a described schema may be, in the words of the pages in docs/interface.
import { inspect } from 'node:util';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly (string | boolean | null)[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly default?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
}

/** Forms of texts, in words; a form without words is not described and fails the comparison. */
const FORMS: Readonly<Record<string, string>> = {
  '^[^\\x00]*$': '',
  '^$|[^\\x09-\\x0d \\xa0\\x00-\\x1f\\x7f-\\x9f⠀]': 'something visible',
  '^[^\\x00-\\x1f\\x7f-\\x9f]*[^\\x00-\\x1f\\x7f-\\x9f \\xa0][^\\x00-\\x1f\\x7f-\\x9f]*$':
    'something visible, no control characters',
  '^[^\\s@<>"(),:;\\\\\\[\\]\\x00-\\x1f\\x7f-\\x9f]{1,64}@[^\\s@<>"(),:;\\\\\\[\\]\\x00-\\x1f\\x7f-\\x9f]{1,189}$':
    'an e-mail address',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,3})?(Z|[+-][0-9]{2}:[0-9]{2})$':
    'an instant with an offset',
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': '`HH:MM`',
  '^[\\x21-\\x7e]{1,255}$': '1 to 255 visible ASCII characters',
  '^https?://[^\\s\\x00]+$': 'an http or https address',
  '^[0-9]{13}$': '13 digits',
  '^([0-9]{8}|[0-9]{12,14})$': '8, 12, 13 or 14 digits',
  '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$': 'a tenant id',
  '^RC-[0-9]{4}-[0-9]{4,15}$': 'a case number',
  '^[0-9a-f]{64}$': '64 hex digits',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]{8,12}Z,RC-[0-9]{4}-[0-9]{4,15}$': 'a cursor',
  '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z~\\d{1,15}$': 'a cursor',
  '^\\d{1,15}(\\.\\d{1,4})?$': '`height` or `height.index`',
  '^\\d{4}-\\d{2}-\\d{2}$': '`YYYY-MM-DD`',
  '^[0-9]{1,15}$': '1 to 15 digits',
};

const WORDS_IN_TABLE_MAX = 12;

/** What a value may be, in words, such as "1 to 200 characters, or null". */
export function describeLimits(schema: Schema, schemas: Readonly<Record<string, Schema>>): string {
  const { default: preset } = schema;
  const isNullable = (Array.isArray(schema.type) ? schema.type : []).includes('null');
  const alternatives = schema.anyOf?.filter((one) => one.type !== 'null') ?? [schema];
  const words = alternatives.map((one) => describeOneLimit(one, schemas)).join(', or ');
  const hasNull = isNullable || schema.anyOf?.some((one) => one.type === 'null') === true;
  const withNull = hasNull ? `${words}, or null` : words;
  return preset === undefined ? withNull : `${withNull}; default \`${shown(preset)}\``;
}

/** The words of a list that is too long for a table. */
export function listLongEnum(schema: Schema | undefined): readonly string[] {
  const words = schema?.enum ?? [];
  return words.length > WORDS_IN_TABLE_MAX ? words.map(shown) : [];
}

export function readName(schema: Schema): string {
  return schema.$ref?.split('/').at(-1) ?? '';
}

function describeOneLimit(schema: Schema, schemas: Readonly<Record<string, Schema>>): string {
  if (schema.$ref !== undefined) return objectNamed(readName(schema), schemas);
  const words = listLongEnum(schema);
  if (words.length > 0) return `one of ${words.length} words`;
  if (schema.enum !== undefined) return schema.enum.map((one) => `\`${shown(one)}\``).join(', ');
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  if (schema.items !== undefined) {
    const items = describeLimits(schema.items, schemas);
    const count = describeRange(schema.minItems, schema.maxItems, 'items');
    return ['list', count, items === '' ? '' : `each ${items}`].filter(Boolean).join(', ');
  }
  if (types.includes('integer') || types.includes('number')) {
    const kind = types.includes('integer') ? 'integer' : 'number';
    const range = describeRange(schema.minimum, schema.maximum, '').trim();
    const number = range === '' ? kind : `${kind}, ${range}`;
    return types.includes('string') ? `text or ${number}` : number;
  }
  if (types.includes('boolean')) return '`true`, `false`';
  if (types.includes('object') || types.includes('array')) return types.join(' or ');
  const forms = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) => pattern ?? []);
  const inWords = forms.map((form) => FORMS[form] ?? `form ${inspect(form)}`);
  const range = describeRange(schema.minLength, schema.maxLength, 'characters');
  const file = schema.format === 'binary' ? 'bytes of a file' : 'text';
  return [range, ...inWords].filter(Boolean).join(', ') || file;
}

function objectNamed(name: string, schemas: Readonly<Record<string, Schema>>): string {
  const schema = schemas[name]!;
  return schema.properties === undefined && schema.anyOf === undefined
    ? describeOneLimit(schema, schemas)
    : 'object';
}

function describeRange(least: number | undefined, most: number | undefined, unit: string): string {
  const end = most === Number.MAX_SAFE_INTEGER ? undefined : most;
  const counted = unit === '' ? '' : ` ${unit}`;
  if (least === undefined && end === undefined) return '';
  if (end === undefined) return `${grouped(least!)} or more${counted}`;
  return `${least === undefined ? 'at most' : `${grouped(least)} to`} ${grouped(end)}${counted}`;
}

function grouped(value: number): string {
  return value.toLocaleString('en-US');
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.replaceAll('\t', '\\t') : JSON.stringify(value);
}
