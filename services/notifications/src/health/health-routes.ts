// GET /api/v1/health: does the process serve, and does its database answer.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { Type } from 'typebox';
import { API_PREFIX, problemAnswers } from '../http.ts';
import type { App } from '../http.ts';
import { VERSION } from '../version.ts';

export const HEALTH_PATH = `${API_PREFIX}/health`;

export function healthRoutes(
  app: App,
  { store }: { readonly store: { readonly reader: DatabaseReader } },
): void {
  app.get(
    HEALTH_PATH,
    {
      schema: {
        tags: ['Service'],
        summary: 'Whether the service serves',
        description: '503 while the database does not answer. Needs no credentials.',
        security: [],
        response: {
          200: Type.Object(
            { status: Type.Literal('ok'), version: Type.String() },
            { description: 'It serves', examples: [{ status: 'ok', version: '1.0.0' }] },
          ),
          ...problemAnswers('internal', 'unavailable'),
        },
      },
    },
    async () => {
      await store.reader.first(sql`
        select position
        from feed_head
        where id = 1`);
      return { status: 'ok', version: VERSION };
    },
  );
}
