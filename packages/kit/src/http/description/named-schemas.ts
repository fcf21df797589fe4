// Gives the schemas of a machine-readable description their names: each is once among the components, and
// every use refers to it. Programs that generate clients make one model of each.
//
// This is done with the finished description, so that the schemas of routes contain no references: with references
// every validator and serializer would need all other schemas.
import { isDeepStrictEqual } from 'node:util';
import { ESCAPED_FORMAT } from '../schemas/json-text.ts';
import { portablePattern } from './portable-pattern.ts';

type Members = Readonly<Record<string, unknown>>;

/** The parts of an OpenAPI document that are looked at; everything else is handed on. */
interface Document {
  readonly paths?: Readonly<Record<string, unknown>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

/** Keywords whose values are data and no schemas. */
const DATA_KEYWORDS = new Set(['examples', 'example', 'default', 'enum', 'const', 'required']);
const UNION_KEYWORDS = ['anyOf', 'oneOf', 'allOf'] as const;

/** The option `transformObject` of @fastify/swagger. */
export function nameDocumentSchemas<Described extends Document>(
  described: { readonly openapiObject: Described } | { readonly swaggerObject: object },
): Described {
  if (!('openapiObject' in described)) throw new TypeError('describing the API: not as OpenAPI 3');
  return nameSchemas(described.openapiObject);
}

/**
 * A schema is called by its `title`; an object without one by the operation or the schema that
 * contains it and its place there, as `StoredEventBlock`.
 * @throws Error when schemas of one name differ, or an operation has no `operationId`
 */
export function nameSchemas<Described extends Document>(document: Described) {
  const components = new Components();
  const paths = mapMembers(document.paths ?? {}, (path, url) =>
    isMembers(path)
      ? mapMembers(path, (operation, method) =>
          isMembers(operation)
            ? namedOperation(operation, `${method} ${url}`, components)
            : operation,
        )
      : path,
  );
  const schemas = { ...document.components?.schemas, ...components.sorted() };
  return { ...document, paths, components: { ...document.components, schemas } };
}

function namedOperation(operation: Members, place: string, components: Components): Members {
  const { operationId, parameters, requestBody, responses } = operation;
  if (typeof operationId !== 'string') throw new Error(`${place} has no operationId`);
  const base = capitalised(operationId);
  return {
    ...operation,
    ...(Array.isArray(parameters)
      ? {
          parameters: parameters.map((parameter: unknown) =>
            isMembers(parameter)
              ? { ...parameter, schema: portable(parameter['schema']) }
              : parameter,
          ),
        }
      : {}),
    ...(isMembers(requestBody)
      ? { requestBody: withContent(requestBody, `${base}Request`, components) }
      : {}),
    ...(isMembers(responses)
      ? {
          responses: mapMembers(responses, (response, status) =>
            isMembers(response)
              ? withContent(
                  response,
                  `${base}Answer${status.startsWith('2') ? '' : status}`,
                  components,
                )
              : response,
          ),
        }
      : {}),
  };
}

function withContent(part: Members, name: string, components: Components): Members {
  const { content } = part;
  if (!isMembers(content)) return part;
  return {
    ...part,
    content: mapMembers(content, (media) => {
      if (!isMembers(media)) return media;
      const schema = components.refer(media['schema'], name);
      return { ...media, ...findExample(media), schema };
    }),
  };
}

/** The example of a body, which the schema of a component does not have. */
function findExample({ schema, example, examples }: Members): Members {
  const inSchema = isMembers(schema) ? schema['examples'] : undefined;
  if (example !== undefined || examples !== undefined || !Array.isArray(inSchema)) return {};
  return { example: inSchema[0] as unknown };
}

class Components {
  readonly #schemas = new Map<string, Members>();

  sorted(): Members {
    const entries = [...this.#schemas].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries);
  }

  /** A reference to the schema, or the schema itself when it is one without a name. */
  refer(schema: unknown, place: string): unknown {
    if (!isMembers(schema)) return schema;
    const { title, examples: _examples, ...rest } = schema;
    const isObject = isMembers(schema['properties']);
    const name = typeof title === 'string' ? title : isObject ? place : undefined;
    if (name === undefined) return this.#withParts(schema, place);
    const reference = { $ref: `#/components/schemas/${name}` };
    const { type } = schema;
    if (!isObject || !Array.isArray(type)) {
      this.#add(name, this.#withParts(rest, name));
      return reference;
    }
    // An object that may be null: the component is the object.
    this.#add(name, this.#withParts({ ...rest, type: 'object' }, name));
    return { anyOf: [reference, { type: 'null' }] };
  }

  #add(name: string, schema: Members): void {
    const known = this.#schemas.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`describing the API: two schemas that differ are called ${name}`);
    }
    this.#schemas.set(name, schema);
  }

  #withParts(schema: Members, name: string): Members {
    const { properties, items, additionalProperties } = schema;
    const unions = UNION_KEYWORDS.flatMap((keyword) => {
      const variants: unknown = schema[keyword];
      if (!Array.isArray(variants)) return [];
      const objects = variants.filter((one) => isMembers(one) && isMembers(one['properties']));
      const refer = (variant: unknown, index: number): unknown =>
        this.refer(variant, objects.length > 1 ? `${name}${index + 1}` : name);
      return [[keyword, variants.map(refer)] as const];
    });
    return {
      ...portableKeywords(schema),
      ...(isMembers(properties)
        ? {
            properties: mapMembers(properties, (member, key) =>
              this.refer(member, `${name}${capitalised(key)}`),
            ),
          }
        : {}),
      ...(isMembers(items) ? { items: this.refer(items, `${name}Item`) } : {}),
      ...(isMembers(additionalProperties)
        ? { additionalProperties: this.refer(additionalProperties, `${name}Value`) }
        : {}),
      ...Object.fromEntries(unions),
    };
  }
}

/** A schema without parts that would be named, such as that of a parameter. */
function portable(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(portable);
  if (!isMembers(schema)) return schema;
  return mapMembers(portableKeywords(schema), (value, keyword) =>
    DATA_KEYWORDS.has(keyword) ? value : portable(value),
  );
}

/** The keywords of one schema, without those of its parts, as every generator of clients reads them. */
function portableKeywords(schema: Members): Members {
  const { pattern, format, ...rest } = schema;
  const described = typeof pattern === 'string' ? portablePattern(pattern) : undefined;
  return {
    ...(hasOnlyTexts(schema['enum']) ? { type: 'string' } : {}),
    ...rest,
    // How an answer is written is no matter of its readers.
    ...(format === undefined || format === ESCAPED_FORMAT ? {} : { format }),
    ...(described === undefined ? {} : { pattern: described }),
  };
}

function hasOnlyTexts(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === 'string');
}

function mapMembers(members: Members, change: (value: unknown, name: string) => unknown): Members {
  return Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, change(value, name)]),
  );
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `external_id` as `ExternalId`. */
function capitalised(name: string): string {
  return name
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
}
