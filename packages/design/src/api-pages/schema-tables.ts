// JSON schemas in words and tables: what a value is, within which limits, and the members of objects, each named
// shape once on its page.
import { html, type Html, type HtmlValue } from '@lothub/kit/html';
import { readList, toMembers, toText, type Schema } from './description.ts';
import { renderProse } from './prose.ts';
import { rowsTable } from '../tables.ts';

const REFERENCE = '#/components/schemas/';
/** Objects without a name are shown in their place, so deep; deeper ones are only called objects. */
const DEPTH_MAX = 6;

/** The name of the shape that a schema refers to. */
function findName(schema: Schema): string | undefined {
  const reference = toText(schema['$ref']);
  return reference.startsWith(REFERENCE) ? reference.slice(REFERENCE.length) : undefined;
}

/** All shapes that schemas refer to, also through each other, in the order in which a reader meets them. */
export function namesIn(
  schemas: readonly Schema[],
  known: ReadonlyMap<string, Schema>,
): readonly (readonly [name: string, schema: Schema])[] {
  const found = new Map<string, Schema>();
  const pending: unknown[] = [...schemas];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (Array.isArray(next)) {
      pending.unshift(...readList(next));
      continue;
    }
    const members = toMembers(next);
    const name = findName(members);
    const schema = name === undefined ? undefined : known.get(name);
    if (name !== undefined && schema !== undefined && !found.has(name)) {
      found.set(name, schema);
      pending.push(schema);
    }
    // Examples are data: what is in them refers to nothing.
    const { example: _example, examples: _examples, ...rest } = members;
    pending.unshift(
      ...Object.values(rest).filter((one) => typeof one === 'object' && one !== null),
    );
  }
  return [...found];
}

/** One named shape, with an anchor that types lead to. */
export function schemaSection(name: string, schema: Schema): Html {
  const text = toText(schema['description']);
  return html`<section class="shape" aria-labelledby="shape-${name}">
    <h3 id="shape-${name}">${name}</h3>
    ${text === '' ? null : html`<p>${renderProse(text)}</p>`} ${membersTable(name, schema)}
  </section>`;
}

function membersTable(name: string, schema: Schema): Html {
  const rows = listRows(schema, '', DEPTH_MAX);
  if (rows.length === 0) return html`<p>${typeWords(schema)}</p>`;
  return rowsTable({ caption: `Members of ${name}`, head: ['Member', 'Type', 'Meaning'], rows });
}

function listRows(schema: Schema, prefix: string, depth: number): readonly (readonly Html[])[] {
  const required = new Set(readList(schema['required']).map(toText));
  const own = Object.entries(toMembers(schema['properties'])).flatMap(([member, value]) => {
    const one = toMembers(value);
    const name = prefix + member;
    const mark = required.has(member) ? null : html` <span class="chip">may be absent</span>`;
    const row = [
      html`<code>${name}</code>${mark}`,
      typeWords(one),
      html`${renderProse(toText(one['description']))}`,
    ];
    if (depth === 0) return [row];
    const items = toMembers(one['items']);
    return [
      row,
      ...listRows(one, `${name}.`, depth - 1),
      ...listRows(items, `${name}[].`, depth - 1),
    ];
  });
  const all = readList(schema['allOf']).flatMap((part) => listRows(toMembers(part), prefix, depth));
  return [...own, ...all];
}

/** What a value is, with its limits: "list of Line, 1 to 500". */
export function typeWords(schema: Schema): Html {
  const name = findName(schema);
  if (name !== undefined) return html`<a href="#shape-${name}">${name}</a>`;
  for (const [keyword, between] of [
    ['anyOf', ' or '],
    ['oneOf', ' or '],
    ['allOf', ' and '],
  ] as const) {
    const parts = readList(schema[keyword]).map(toMembers);
    if (parts.length > 0) return joined(parts.map(typeWords), between);
  }
  if (schema['const'] !== undefined) return html`<code>${JSON.stringify(schema['const'])}</code>`;
  const values = readList(schema['enum']);
  if (values.length > 0) {
    return joined(
      values.map(
        (value) => html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`,
      ),
      ', ',
    );
  }
  const types = [schema['type']]
    .flat()
    .map(toText)
    .filter((type) => type !== '');
  const limits = listLimits(schema);
  const words = types.map((type) => typeName(type, schema));
  return html`${words.length === 0 ? 'any value' : joined(words, ' or ')}${
    limits.length === 0 ? null : html`, <span class="muted">${joined(limits, ', ')}</span>`
  }`;
}

function typeName(type: string, schema: Schema): HtmlValue {
  if (type === 'array') return html`list of ${typeWords(toMembers(schema['items']))}`;
  if (type === 'null') return 'null';
  const format = toText(schema['format']);
  return format === '' ? type : `${type} (${format})`;
}

function listLimits(schema: Schema): readonly Html[] {
  const limits = [
    formatRange(schema['minimum'], schema['maximum'], ''),
    formatRange(schema['minLength'], schema['maxLength'], ' characters'),
    formatRange(schema['minItems'], schema['maxItems'], ' of them'),
  ].flatMap((limit) => (limit === undefined ? [] : [html`${limit}`]));
  const pattern = toText(schema['pattern']);
  const initial = schema['default'];
  return [
    ...limits,
    ...(pattern === '' ? [] : [html`like <code>${pattern}</code>`]),
    ...(initial === undefined ? [] : [html`otherwise <code>${JSON.stringify(initial)}</code>`]),
  ];
}

function formatRange(least: unknown, most: unknown, unit: string): string | undefined {
  const [from, to] = [least, most].map((one) =>
    typeof one === 'number' ? one.toLocaleString('en') : undefined,
  );
  if (from === undefined && to === undefined) return undefined;
  if (to === undefined) return `at least ${from}${unit}`;
  if (from === undefined) return `at most ${to}${unit}`;
  return from === to ? `${from}${unit}` : `${from} to ${to}${unit}`;
}

function joined(parts: readonly HtmlValue[], between: string): Html {
  return html`${parts.map((part, at) => html`${at === 0 ? null : between}${part}`)}`;
}
