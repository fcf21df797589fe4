// What an OpenAPI document says, as one line for each fact, to be compared with a page of docs/interface.
import { describeLimits, listLongEnum, readName, type Schema } from './limits-in-words.ts';

export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

/** What both sides are brought to, to be compared line by line. */
export type Facts = ReadonlySet<string>;

/** Languages of pages: one object with a member for each of them is described once. */
const LANGUAGES = ['de', 'en', 'es', 'fr', 'it'];

/** Everything that the description says, as one line each. */
export function collectFacts(description: Description): Facts {
  const { schemas } = description.components;
  const bodies = new Set<string>();
  const answers = new Set<string>();
  const facts = new Set<string>();
  for (const { name, operation } of listOperations(description)) {
    const sent = listContentNames(operation.requestBody?.content);
    const answered = listAnswers(operation);
    for (const body of sent) bodies.add(body);
    for (const answer of answered) answers.add(answer);
    facts.add(`${name}: body ${listed(sent)}`);
    facts.add(`${name}: answer ${listed(answered)}`);
    facts.add(`${name}: statuses ${Object.keys(operation.responses).sort().join(' ')}`);
    for (const parameter of operation.parameters ?? []) {
      const limits = describeLimits(parameter.schema ?? {}, schemas);
      for (const word of listLongEnum(parameter.schema))
        facts.add(`word of ${parameter.name}: ${word}`);
      if (parameter.in === 'path') facts.add(`part ${parameter.name}: ${limits}`);
      else if (!isKeyHeader(parameter)) facts.add(`${name}: ${parameter.name}: ${limits}`);
    }
  }
  for (const body of withReferred(bodies, schemas)) {
    for (const { path, isRequired, limits } of listFields(body, schemas)) {
      facts.add(`body ${body}: ${path} ${isRequired ? 'yes' : 'no'}: ${limits}`);
    }
  }
  for (const answer of withReferred(answers, schemas)) {
    for (const member of listMembers(answer, schemas)) facts.add(`answer ${answer}: ${member}`);
  }
  return facts;
}

export interface Field {
  readonly path: string;
  readonly isRequired: boolean;
  readonly limits: string;
  readonly description: string;
}

/** The fields of a body; those of an object that has a name of its own are with that name. */
export function listFields(
  name: string,
  schemas: Readonly<Record<string, Schema>>,
): readonly Field[] {
  const fields = (schema: Schema, prefix: string): readonly Field[] =>
    listProperties(schema).flatMap(([key, property, isRequired]) => {
      const path = prefix + key;
      const description = property.description ?? findDescription(property, schemas);
      const own = { path, isRequired, limits: describeLimits(property, schemas), description };
      const inner = findInner(property);
      if (inner?.$ref === undefined || !isInlined(name, readName(inner))) return [own];
      const isList = property.$ref === undefined && property.items !== undefined;
      return [own, ...fields(schemas[readName(inner)]!, `${path}${isList ? '[]' : ''}.`)];
    });
  return listAlternatives(schemas[name]!, schemas).flatMap((one) => fields(one, ''));
}

/** The members of an answer, likewise; `[]` is behind a list. */
export function listMembers(
  name: string,
  schemas: Readonly<Record<string, Schema>>,
): readonly string[] {
  const members = (schema: Schema, prefix: string): readonly string[] =>
    listProperties(schema).flatMap(([key, property]) => {
      const inner = findInner(property);
      const isList = (property.items ?? property.anyOf?.find((one) => one.items)) !== undefined;
      const path = `${prefix}${key}${isList ? '[]' : ''}`;
      if (inner?.$ref === undefined || !isInlined(name, readName(inner))) return [path];
      return [path, ...members(schemas[readName(inner)]!, `${path}.`)];
    });
  return [...new Set(listAlternatives(schemas[name]!, schemas).flatMap((one) => members(one, '')))];
}

export function listAnswers(operation: Operation): readonly string[] {
  const good = Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status));
  return [...new Set(good.flatMap(([, { content }]) => listContentNames(content)))];
}

export function listContentNames(content: Content | undefined): readonly string[] {
  const schemas = Object.values(content ?? {}).flatMap(({ schema }) => schema ?? []);
  const named = schemas.flatMap((schema) => [schema, ...(schema.anyOf ?? [])]);
  return [...new Set(named.filter(({ $ref }) => $ref !== undefined).map(readName))];
}

export function listOperations(
  description: Description,
): readonly { readonly name: string; readonly operation: Operation }[] {
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

/** Schemas that these refer to under names of their own, with these. */
export function withReferred(
  names: Iterable<string>,
  schemas: Readonly<Record<string, Schema>>,
): readonly string[] {
  const found = new Set(names);
  for (const name of found) {
    for (const referred of referredBy(name, schemas)) found.add(referred);
  }
  return [...found];
}

/** Demanded of every endpoint with a key: described once. */
export function isKeyHeader({ name }: Parameter): boolean {
  return ['x-api-key', 'x-tenant-id'].includes(name.toLowerCase());
}

function referredBy(root: string, schemas: Readonly<Record<string, Schema>>): readonly string[] {
  const names = (schema: Schema): readonly string[] =>
    [...listProperties(schema).map(([, property]) => property), ...(schema.anyOf ?? [])].flatMap(
      (one) => {
        const inner = findInner(one);
        if (inner?.$ref === undefined) return [];
        const name = readName(inner);
        return isInlined(root, name) ? names(schemas[name]!) : [name];
      },
    );
  const schema = schemas[root]!;
  return [...names(schema), ...(schema.items === undefined ? [] : names({ anyOf: [schema] }))];
}

/** The document names objects without a name of their own after what they are in. */
function isInlined(root: string, name: string): boolean {
  return name !== root && name.startsWith(root);
}

/** What a body or an answer may be: itself, or each of its alternatives that is no list. */
function listAlternatives(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
): readonly Schema[] {
  return (schema.anyOf ?? [schema]).map((one) =>
    one.$ref === undefined ? one : schemas[readName(one)]!,
  );
}

/** Properties with whether they are required; of one for each language, the first stands for all. */
function listProperties(schema: Schema): readonly (readonly [string, Schema, boolean])[] {
  const properties = Object.entries(schema.properties ?? {});
  const required = schema.required ?? [];
  if (
    properties
      .map(([key]) => key)
      .toSorted()
      .join() === LANGUAGES.join()
  ) {
    return [['{language}', properties[0]![1], false]];
  }
  return properties.map(([key, property]) => [key, property, required.includes(key)]);
}

/** The schema that describes the members of a value, its items, or what it is when not null. */
function findInner(schema: Schema): Schema | undefined {
  if (schema.$ref !== undefined) return schema;
  if (schema.items !== undefined) return findInner(schema.items);
  const one = schema.anyOf?.find(({ type }) => type !== 'null');
  return one === undefined ? undefined : findInner(one);
}

function findDescription(property: Schema, schemas: Readonly<Record<string, Schema>>): string {
  const inner = findInner(property);
  return inner?.$ref === undefined ? '' : (schemas[readName(inner)]?.description ?? '');
}

export function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.toSorted().join(' ');
}
