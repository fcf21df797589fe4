// GET /api/v1/health: does the process serve, and does its database answer.
import { DatabaseError } from '@lothub/kit/database';
import type { DatabaseReader } from '@lothub/kit/database';
import { HEALTH_WAIT_MS } from '@lothub/kit/http/health';
import sql from 'sql-template-tag';
import { Type } from 'typebox';
import { PROBLEM_OF_DATABASE_ERROR, Problem } from '../errors.ts';
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
        operationId: 'getHealth',
        summary: 'Whether the service serves',
        description:
          'Answered within two seconds: with 503 while the database does not answer. Needs no credentials.',
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
      await readFeedHead(store.reader).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
        throw new Problem(
          'unavailable',
          'The database does not answer: whether posts are taken now is not known',
          { cause: error },
        );
      });
      return { status: 'ok', version: VERSION };
    },
  );
}

async function readFeedHead(reader: DatabaseReader): Promise<void> {
  await reader.first(
    sql`
      select position
      from feed_head
      where id = 1`,
    { timeoutMs: HEALTH_WAIT_MS },
  );
}

function isUnavailable(error: unknown): boolean {
  return error instanceof DatabaseError && PROBLEM_OF_DATABASE_ERROR[error.code] === 'unavailable';
}
