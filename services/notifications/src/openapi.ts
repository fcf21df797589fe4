// The machine-readable description (`/api/v1/openapi.json`, OpenAPI 3.1) and its interactive page
// (`/api/v1/docs`, all assets served from here).
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { API_PREFIX } from './http.ts';
import type { App } from './http.ts';
import { VERSION } from './version.ts';

/**
 * Everything the page needs comes from here. Its style attributes are inline. The plugin's own policy
 * names other hosts and asks for HTTPS, which would leave the page blank on a plain HTTP address.
 */
const DOCS_CSP = {
  'default-src': "'self'",
  'base-uri': "'self'",
  'form-action': "'self'",
  'frame-ancestors': "'self'",
  'img-src': "'self' data:",
  'object-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
} as const;

/** Before any route, so that every route is described. */
export async function describeApi(
  app: App,
  { publicUrl, sessionCookie }: { readonly publicUrl: string; readonly sessionCookie: string },
): Promise<void> {
  await app.register(swagger, {
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
        { name: 'Reading', description: 'Notifications, what is read, acknowledging' },
        { name: 'Streams', description: 'Everything as it happens: Server-Sent Events' },
        { name: 'Groups', description: 'Making and setting groups' },
        { name: 'Members', description: 'Who is in a group, and coming by invitation' },
        { name: 'Keys', description: 'Issuing, rotating and revoking the keys that post' },
        { name: 'Webhooks', description: 'Sending notifications on to other systems' },
        { name: 'Audit', description: 'Who did what in a group' },
        { name: 'People', description: 'Set-up, log-in, my account, sessions and read tokens' },
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
  await app.register(swaggerUi, {
    routePrefix: `${API_PREFIX}/docs`,
    staticCSP: DOCS_CSP,
    uiConfig: { deepLinking: true, tryItOutEnabled: true },
  });
  app.get(`${API_PREFIX}/openapi.json`, { schema: { hide: true } }, () => app.swagger());
}
