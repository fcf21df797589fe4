// The machine-readable description (`/api/v1/openapi.json`, OpenAPI 3.1); `web/web-routes.ts` shows it at
// `/api/v1/docs`.
import type { FastifyInstance, FastifySchema } from 'fastify';
import { chooseSecurity } from './access/gate.ts';
import { PROBLEMS } from './errors.ts';
import { API_PREFIX, problemAnswer, type App } from './http.ts';
import { withBadAddress } from '@lothub/kit/http/description/api-description';
import { describeRoutes } from '@lothub/kit/http/description/routes-description';
import type { ReadDescription } from '@lothub/kit/http/description/routes-description';
import { nameDocumentSchemas } from '@lothub/kit/http/description/named-schemas';
import { VERSION } from './version.ts';

/** What the router answers, of any path with a parameter. */
const BAD_ADDRESS = {
  status: PROBLEMS.address_malformed.status,
  answer: problemAnswer(['address_malformed']),
};

export const DESCRIPTION_PATH = `${API_PREFIX}/openapi.json`;

interface DescribedService {
  readonly publicUrl: string;
  readonly sessionCookie: string;
}

/**
 * Before any route, so that every route is described.
 * @returns what reads the description, once all routes are there
 */
export function describeApi(app: App, service: DescribedService): ReadDescription {
  const readDescription = describeRoutes(app, (describing) => register(describing, service));
  app.get(DESCRIPTION_PATH, { schema: { hide: true } }, readDescription);
  return readDescription;
}

async function register(
  app: FastifyInstance,
  { publicUrl, sessionCookie }: DescribedService,
): Promise<void> {
  const { default: swagger } = await import('@fastify/swagger');
  await app.register(swagger, {
    transform: ({ schema, url }) => ({
      schema: withBodyExample(withBadAddress({ schema, url }, BAD_ADDRESS)),
      url,
    }),
    transformObject: nameDocumentSchemas,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lothub group notifications',
        version: VERSION,
        description:
          'An external system posts a notification into a group with one call; the people of the group ' +
          'see it at once. Within v1 only additions are made: ignore what you do not know in an answer.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      tags: [
        { name: 'Posting', description: 'With the key of a group' },
        { name: 'Senders', description: 'Posting in the own form of other systems' },
        {
          name: 'Reading',
          description: 'Notifications, live or listed; what is read; acknowledging',
        },
        { name: 'Groups', description: 'Making and setting groups' },
        { name: 'Members', description: 'Who is in a group, and leaving it' },
        { name: 'Keys', description: 'Issuing, rotating and revoking the keys that post' },
        { name: 'Webhooks', description: 'Sending notifications on to other systems' },
        { name: 'Devices', description: 'Sending notifications to one’s own browsers' },
        { name: 'Audit', description: 'Who did what in a group' },
        {
          name: 'People',
          description: 'Set-up, log-in, invitations, one’s own account and read tokens',
        },
        { name: 'Service', description: 'The service itself' },
      ],
      components: {
        securitySchemes: {
          GroupKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Api-Key',
            description: 'Posts into one group and cannot read',
          },
          AdapterToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'Token of an adapter: posts into one group, in the form of one sender',
          },
          AdapterPassword: {
            type: 'http',
            scheme: 'basic',
            description: 'Token of an adapter as the password, of any user',
          },
          BodySignature: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Hub-Signature-256',
            description: 'HMAC-SHA-256 of the body with the token of the adapter, as GitHub signs',
          },
          Session: {
            type: 'apiKey',
            in: 'cookie',
            name: sessionCookie,
            description: 'Of a person who has logged in',
          },
          ReadToken: {
            type: 'http',
            scheme: 'bearer',
            description: 'Of a program that reads in the name of a person',
          },
        },
      },
    },
  });
}

/** Describes the credentials of all routes of a scope with `personGate`; call it before the first route. */
export function describeSecurity(app: App): void {
  app.addHook('onRoute', (route) => {
    const [method = ''] = [route.method].flat();
    const security = chooseSecurity({ method, url: route.url });
    route.schema = { ...route.schema, security };
  });
}

/** The part of a JSON schema that an example can be made of. */
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}

/** A body to try out: what its schema gives, else one made of the examples of its fields. */
function withBodyExample(schema: FastifySchema): FastifySchema {
  const { body } = schema;
  if (!isShape(body) || body.examples !== undefined) return schema;
  return { ...schema, body: { ...body, examples: [buildExample(body)] } };
}

function buildExample({ properties, examples, default: usual, enum: values }: Shape): unknown {
  if (properties === undefined) return examples?.[0] ?? usual ?? values?.[0];
  const fields = Object.entries(properties).map(
    ([name, shape]) => [name, buildExample(shape)] as const,
  );
  return Object.fromEntries(fields.filter(([, example]) => example !== undefined));
}

function isShape(schema: unknown): schema is Shape {
  return typeof schema === 'object' && schema !== null;
}
