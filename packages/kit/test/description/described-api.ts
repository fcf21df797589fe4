// The machine-readable description of a service (OpenAPI 3.1) as tests read it, and the tests that every service's
// description has to pass.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { buildClientTypes } from './client-types.ts';
import { compileAllRoutes } from './route-schemas.ts';

export interface Description {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

export interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: object;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { readonly description?: string; readonly content?: Content }>
  >;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

type Content = Readonly<Record<string, Media>>;

export interface Media {
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface DescribedOperation {
  /** Such as `GET /v1/lots`. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function listOperations({ paths }: Description): readonly DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method,
      path,
      operation,
    })),
  );
}

/** Lists the examples of a media type, at its own level and in its schema. */
export function listExamples({ example, examples, schema }: Media): readonly unknown[] {
  const inSchema = schema?.['examples'];
  return [
    ...(example === undefined ? [] : [example]),
    ...Object.values(examples ?? {}).map(({ value }) => value),
    ...(Array.isArray(inSchema) ? (inSchema as readonly unknown[]) : []),
    ...(schema?.['example'] === undefined ? [] : [schema['example']]),
  ];
}

/** Compiles a schema of the description. */
export function compileSchema(
  { components }: Description,
  schema: object,
  ajv = newAjv(),
): ValidateFunction {
  return ajv.compile({ ...schema, components });
}

/** Judges by JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
function newAjv(): Ajv2020 {
  return new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
}

function listContents({ requestBody, responses }: Operation): readonly Media[] {
  const answers = Object.values(responses).map(({ content }) => content ?? {});
  return [requestBody?.content ?? {}, ...answers].flatMap((content) => Object.values(content));
}

/**
 * Declares the tests that the description of every service has to pass.
 * @param described.undecodable what the status 400 says of a path that cannot be decoded
 * @param described.emptyBodies names of operations that need no member in their bodies
 * @param described.open opens the service, with all of its routes
 * @param described.testLong declares those that take a second and more of a processor
 */
export function testDescription(
  description: Description,
  described: {
    readonly publicUrl: string;
    readonly undecodable: RegExp;
    readonly routesMin: number;
    readonly emptyBodies: readonly string[];
    readonly open: () => Promise<AsyncDisposable>;
    readonly testLong: (name: string, play: () => Promise<void>) => void;
  },
): void {
  const { publicUrl, undecodable, emptyBodies, routesMin, open, testLong } = described;
  const operations = listOperations(description);
  const text = JSON.stringify(description);

  test('it is OpenAPI 3.1 with a title, a version and the public address', () => {
    assert.match(description.openapi, /^3\.1\.\d+$/);
    assert.equal(typeof description.info['title'], 'string');
    assert.match(String(description.info['version']), /^\d+\.\d+\.\d+/);
    assert.deepEqual(description.servers, [{ url: publicUrl }]);
  });

  test('every operation has what OpenAPI requires of it', () => {
    const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options']);
    for (const { name, method, path, operation } of operations) {
      assert.ok(path.startsWith('/') && methods.has(method), name);
      assert.notEqual(operation.summary ?? '', '', `${name} has a summary`);
      assert.ok((operation.tags ?? []).length > 0, `${name} has a tag`);
      assert.ok(Object.keys(operation.responses).length > 0, name);
      for (const [status, answer] of Object.entries(operation.responses)) {
        assert.match(status, /^[1-5]\d\d$|^default$/);
        assert.notEqual(answer.description ?? '', '', `${name} ${status}`);
      }
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part);
      const parameters = (operation.parameters ?? []).filter((one) => one.in === 'path');
      assert.deepEqual(parameters.map((one) => one.name).toSorted(), inPath.toSorted(), name);
      assert.ok(
        parameters.every((one) => one.required === true),
        name,
      );
    }
  });

  test('every path with a parameter describes the answer when it cannot be decoded', () => {
    for (const { name, path, operation } of operations) {
      if (!path.includes('{')) continue;
      assert.match(operation.responses['400']?.description ?? '', undecodable, name);
    }
  });

  test('every reference inside the description leads somewhere', () => {
    const references = [...text.matchAll(/"\$ref":"([^"]*)"/g)];

    assert.ok(references.length > 0);
    for (const [, reference = ''] of references) {
      const name = /^#\/components\/schemas\/(\w+)$/.exec(reference)?.[1] ?? '';
      assert.ok(name in description.components.schemas, reference);
    }
  });

  testLong('every schema is a valid JSON schema', async () => {
    const ajv = newAjv();
    ajv.addSchema({ $id: '', components: description.components });
    for (const { name, operation } of operations) {
      const parameters = (operation.parameters ?? []).map((parameter) => parameter.schema);
      for (const schema of [
        ...listContents(operation).map((media) => media.schema),
        ...parameters,
      ]) {
        assert.ok(schema !== undefined, name);
        if ('$ref' in schema) continue;
        assert.doesNotThrow(() => compileSchema(description, schema, ajv), name);
      }
    }
    for (const schema of Object.values(description.components.schemas)) {
      assert.doesNotThrow(() => compileSchema(description, schema, ajv));
    }
  });

  test('every JSON request body has an example with all that it needs, which its schema accepts', () => {
    let bodies = 0;
    for (const { name, operation } of operations) {
      const media = operation.requestBody?.content['application/json'];
      if (media?.schema === undefined) continue;
      bodies += 1;
      const examples = listExamples(media);
      assert.ok(examples.length > 0, `${name} has no example`);
      const validate = compileSchema(description, media.schema);
      for (const example of examples) {
        if (!emptyBodies.includes(name)) assert.notDeepEqual(example, {}, name);
        assert.ok(validate(example), `${name}: ${JSON.stringify(validate.errors)}`);
      }
    }
    assert.ok(bodies > 10);
  });

  testLong('a generator of clients makes a type of every schema and operation', async () => {
    const types = await buildClientTypes(description);

    assert.deepEqual(types.schemas, Object.keys(description.components.schemas));
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.deepEqual(types.operations, ids.toSorted());
    assert.deepEqual(types.faults, []);
  });

  test('no object of a body or an answer is without a name, and no pattern is for one dialect alone', () => {
    assert.doesNotMatch(JSON.stringify(description.paths), /"properties":/);
    for (const [, pattern = ''] of text.matchAll(/"pattern":"((?:\\.|[^"\\])*)"/g)) {
      assert.doesNotMatch(pattern, /\\[pPu0]|\(\?[^:]/);
    }
  });

  testLong(
    'the schemas of all routes compile, which a service does at the first request of each',
    async () => {
      const routes = await compileAllRoutes(open);

      assert.ok(routes > routesMin, `${routes} routes`);
    },
  );
}
