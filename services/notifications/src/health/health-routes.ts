// GET /api/v1/health: does the process serve, and does its database answer. GET /api/v1/ready: does it take
// posts.
import { DatabaseError, type DatabaseReader } from '@lothub/kit/database';
import { HEALTH_WAIT_MS } from '@lothub/kit/http/health';
import sql from 'sql-template-tag';
import { Type } from '@lothub/kit/json-schema';
import { PROBLEM_OF_DATABASE_ERROR, Problem } from '../errors.ts';
import { HEALTH_PATH, READY_PATH, problemAnswers, type App } from '../http.ts';
import { VERSION } from '../version.ts';

const UpgradeOfStart = Type.Object(
  {
    status: Type.Literal('upgrading'),
    version: Type.String(),
    percent: Type.Union([Type.Integer({ minimum: 0, maximum: 99 }), Type.Null()]),
  },
  { description: 'It brings a database of an older version up to date' },
);

/** The description of `/api/v1/ready`, also for the answer during the start. */
export const READY_SCHEMA = {
  tags: ['Service'],
  operationId: 'getReady',
  summary: 'Whether the service takes posts',
  description:
    'For proxies and supervisors, answered within two seconds: 503 until the service takes posts, and ' +
    'while its database does not answer. Needs no credentials.',
  security: [],
  response: {
    200: Type.Object({ ready: Type.Literal(true) }, { description: 'It takes posts' }),
    ...problemAnswers('internal', 'unavailable'),
  },
};

/** The description of `/api/v1/health`, also for the answer during the start. */
export const HEALTH_SCHEMA = {
  tags: ['Service'],
  operationId: 'getHealth',
  summary: 'Whether the service serves',
  description:
    'Answered within two seconds: with 503 while the service starts or its database does not answer. ' +
    'Needs no credentials.',
  security: [],
  response: {
    200: Type.Union([
      Type.Object(
        { status: Type.Literal('ok'), version: Type.String() },
        { description: 'It serves', examples: [{ status: 'ok', version: '1.0.0' }] },
      ),
      UpgradeOfStart,
    ]),
    ...problemAnswers('internal', 'unavailable'),
  },
};

export function healthRoutes(
  app: App,
  { store }: { readonly store: { readonly reader: DatabaseReader } },
): void {
  const assertAnswers = async (): Promise<void> => {
    await readFeedHead(store.reader).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error;
      throw new Problem(
        'unavailable',
        'The database does not answer: whether posts are taken now is not known',
        { cause: error },
      );
    });
  };
  app.get(HEALTH_PATH, { schema: HEALTH_SCHEMA }, async () => {
    await assertAnswers();
    return { status: 'ok', version: VERSION };
  });
  app.get(READY_PATH, { schema: READY_SCHEMA }, async () => {
    await assertAnswers();
    return { ready: true };
  });
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
