// The machine-readable description (`/openapi.json`, OpenAPI 3.1) and its interactive page
// (`/docs`, all assets served from here).
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { withBadAddress, withNamedRest } from '@lothub/kit/http/description/api-description';
import { nameSchemasOf } from '@lothub/kit/http/description/named-schemas';
import { API_PAGE_POLICY } from '@lothub/kit/http/description/api-page-policy';
import { ADDRESS_MALFORMED } from './http.ts';
import type { App } from './http.ts';
import { VERSION } from './version.ts';

/** Before any route, so that every route is described. */
export async function describeApi(app: App, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    transform: (route) => {
      const { schema, url } = withNamedRest(route);
      const refusal = { status: 400, answer: ADDRESS_MALFORMED };
      return { schema: withBadAddress({ schema, url }, refusal), url };
    },
    transformObject: nameSchemasOf,
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
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: API_PAGE_POLICY,
    uiConfig: { deepLinking: true, tryItOutEnabled: true },
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}
