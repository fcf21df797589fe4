// What the pages need of a description (OpenAPI 3.1), read out of it once. What is not there is left out: the
// description is of this program, and its tests hold it to the standard.

export interface Description {
  readonly title: string;
  readonly version: string;
  readonly text: string;
  /** Address of the service, without a slash at the end. */
  readonly base: string;
  /** In the order in which the description names them; those that it does not name come last. */
  readonly groups: readonly Group[];
  readonly operations: ReadonlyMap<string, Operation>;
  readonly schemas: ReadonlyMap<string, Schema>;
  readonly schemes: ReadonlyMap<string, Scheme>;
}

export interface Group {
  readonly name: string;
  readonly text: string;
  readonly operations: readonly Operation[];
}

export interface Operation {
  readonly id: string;
  /** In capitals. */
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly text: string;
  readonly group: string;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly contents: readonly Content[] } | undefined;
  readonly responses: readonly Response[];
  /** Ways to be let in; each needs all of its schemes. */
  readonly security: readonly (readonly string[])[];
}

export interface Parameter {
  readonly name: string;
  readonly place: string;
  readonly isRequired: boolean;
  readonly text: string;
  readonly schema: Schema;
  readonly example: string | undefined;
}

export interface Content {
  readonly mediaType: string;
  readonly schema: Schema;
  /** As they are sent, or indented if they are JSON. */
  readonly examples: readonly string[];
}

export interface Response {
  readonly status: string;
  readonly text: string;
  readonly contents: readonly Content[];
}

export interface Scheme {
  /** The header with the credentials: `X-Api-Key`, or `Authorization: Bearer`. */
  readonly place: string;
  /** The header that a command sends; undefined for a cookie. */
  readonly header: string | undefined;
}

/** A JSON schema, of which each page reads what it shows. */
export type Schema = Readonly<Record<string, unknown>>;

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const OTHERS = 'Other';
/** What Fastify says of an answer without a description of its own. */
const NO_WORDS = 'Default Response';

export function readDescription(described: unknown): Description {
  const root = toMembers(described);
  const info = toMembers(root['info']);
  const components = toMembers(root['components']);
  const operations = Object.entries(toMembers(root['paths'])).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = toMembers(item)[method];
      return operation === undefined ? [] : [readOperation(method, path, toMembers(operation))];
    }),
  );
  return {
    title: toText(info['title']),
    version: toText(info['version']),
    text: toText(info['description']),
    base: toText(toMembers(readList(root['servers'])[0])['url']),
    groups: listGroups(operations, readList(root['tags']).map(toMembers)),
    operations: new Map(operations.map((one) => [one.id, one])),
    schemas: new Map(
      Object.entries(toMembers(components['schemas'])).map(([name, one]) => [name, toMembers(one)]),
    ),
    schemes: new Map(
      Object.entries(toMembers(components['securitySchemes'])).map(([name, one]) => [
        name,
        readScheme(toMembers(one)),
      ]),
    ),
  };
}

/** The members of an object; of anything else none. */
export function toMembers(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

export function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.map((one: unknown) => one) : [];
}

export function toText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readOperation(method: string, path: string, one: Schema): Operation {
  const body = toMembers(one['requestBody']);
  return {
    id: toText(one['operationId']),
    method: method.toUpperCase(),
    path,
    summary: toText(one['summary']) || path,
    text: toText(one['description']),
    group: toText(readList(one['tags'])[0]) || OTHERS,
    parameters: readList(one['parameters']).map(toMembers).map(readParameter),
    body: one['requestBody'] === undefined ? undefined : { contents: listContents(body) },
    responses: Object.entries(toMembers(one['responses'])).map(([status, response]) => {
      const members = toMembers(response);
      const text = toText(members['description']);
      return { status, text: text === NO_WORDS ? '' : text, contents: listContents(members) };
    }),
    security: readList(one['security']).map((way) => Object.keys(toMembers(way))),
  };
}

function readParameter(one: Schema): Parameter {
  const { example } = one;
  return {
    name: toText(one['name']),
    place: toText(one['in']),
    isRequired: one['required'] === true,
    text: toText(one['description']),
    schema: toMembers(one['schema']),
    example: example === undefined ? undefined : asText(example),
  };
}

function listContents(members: Schema): readonly Content[] {
  return Object.entries(toMembers(members['content'])).map(([mediaType, content]) => {
    const { schema, example, examples } = toMembers(content);
    const all = [
      ...(example === undefined ? [] : [example]),
      ...Object.values(toMembers(examples)).map((one) => toMembers(one)['value']),
    ];
    return { mediaType, schema: toMembers(schema), examples: all.map(asText) };
  });
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

function readScheme(one: Schema): Scheme {
  const name = toText(one['name']);
  if (one['type'] === 'http')
    return { place: 'Authorization: Bearer', header: 'Authorization: Bearer' };
  return one['in'] === 'header'
    ? { place: name, header: `${name}:` }
    : { place: `${toText(one['in'])} ${name}`, header: undefined };
}

function listGroups(operations: readonly Operation[], tags: readonly Schema[]): readonly Group[] {
  const texts = new Map(tags.map((tag) => [toText(tag['name']), toText(tag['description'])]));
  const names = new Set([...texts.keys(), ...operations.map(({ group }) => group)]);
  return [...names]
    .map((name) => ({
      name,
      text: texts.get(name) ?? '',
      operations: operations.filter(({ group }) => group === name),
    }))
    .filter((group) => group.operations.length > 0);
}
