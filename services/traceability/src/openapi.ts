// The machine-readable description (`/openapi.json`, OpenAPI 3.1); `web/site/api-page-routes.ts` shows it at `/docs`.
import { withBadAddress, withNamedRest } from '@lothub/kit/http/description/api-description';
import { describeRoutes } from '@lothub/kit/http/description/routes-description';
import type { ReadDescription } from '@lothub/kit/http/description/routes-description';
import { nameDocumentSchemas } from '@lothub/kit/http/description/named-schemas';
import { ADDRESS_MALFORMED, type App } from './http.ts';
import type { FastifyInstance } from 'fastify';
import { VERSION } from './version.ts';

export const DESCRIPTION_PATH = '/openapi.json';

/**
 * Before any route, so that every route is described.
 * @returns what reads the description, once all routes are there
 */
export function describeApi(app: App, publicUrl: string): ReadDescription {
  const readDescription = describeRoutes(app, (describing) => register(describing, publicUrl));
  app.get(DESCRIPTION_PATH, { schema: { hide: true } }, readDescription);
  return readDescription;
}

async function register(app: FastifyInstance, publicUrl: string): Promise<void> {
  const { default: swagger } = await import('@fastify/swagger');
  await app.register(swagger, {
    transform: (route) => {
      const { schema, url } = withNamedRest(route);
      const refusal = { status: 400, answer: ADDRESS_MALFORMED };
      return { schema: withBadAddress({ schema, url }, refusal), url };
    },
    transformObject: nameDocumentSchemas,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Lothub lot traceability',
        version: VERSION,
        description:
          'Every accepted trace event becomes one block of a public SHA-256 hash chain. ' +
          'The guide is at /api-docs.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl }],
      tags: [
        { name: 'Events', description: 'Posting and reading trace events' },
        { name: 'Corrections', description: 'Saying what was wrong in an earlier event' },
        { name: 'Lots', description: 'Searching, reading and holding the lots of a tenant' },
        {
          name: 'Dashboard',
          description: 'What a tenant has, what is wrong with it, who did what',
        },
        { name: 'Recall', description: 'Recall cases, what they cover and whom they concern' },
        { name: 'Suppliers', description: 'Which suppliers of a tenant are brands of the hub' },
        { name: 'Admin', description: 'All tenants, for the operator’s own staff' },
        { name: 'Brand', description: 'What consumers see of a tenant' },
        { name: 'Public', description: 'Verification without an account' },
        { name: 'Explorer', description: 'The chain, block by block' },
        {
          name: 'Log',
          description:
            'The public log over the chain: checkpoints, tiles and proofs, without an account',
        },
      ],
      components: {
        securitySchemes: {
          ApiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          TenantId: { type: 'apiKey', in: 'header', name: 'X-Tenant-Id' },
        },
      },
    },
  });
}
