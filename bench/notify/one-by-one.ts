// The other way to be durable, as a baseline: each request writes and commits its notification by itself.
// Same tables, same rows, same flush to disk.
import { systemClock } from '@lothub/kit/clock';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { jobGroup } from '@lothub/kit/test/job-group';
import { IngestAnswerSchema, IngestSchema } from '@lothub/notifications/ingest/ingest-schema';
import type { App } from '@lothub/notifications/http';
import type { Settings } from '@lothub/notifications/settings';
import { openWriteConnection } from '@lothub/notifications/store/postgres/connections';
import { GroupCommit } from '@lothub/notifications/store/postgres/group-commit';
import { SqlitePosts } from '@lothub/notifications/store/sqlite/posts';
import { databaseFile } from '@lothub/notifications/store/sqlite/store';
import { NOTHING_SAID, type Post, type PostOutcome } from '@lothub/notifications/store/post';

/** Connections to PostgreSQL of one process, as a pool has them. */
const CONNECTIONS = 10;

/** Commits one post, and answers once it is on disk. */
type Commit = (post: Post) => Promise<PostOutcome>;

export function oneByOneRoute(app: App, settings: Settings): void {
  let opened: Promise<Commit> | undefined;
  app.post(
    '/api/v1/one-by-one/:group',
    { schema: { hide: true, body: IngestSchema, response: { 201: IngestAnswerSchema } } },
    async ({ body, params }, reply) => {
      const { group: groupId } = params as { readonly group: string };
      opened ??= openCommit(settings);
      const post: Post = {
        groupId,
        title: body.title,
        body: body.body ?? null,
        severity: body.severity ?? 'info',
        ...NOTHING_SAID,
        sender: { kind: 'key', keyId: 'one-by-one', touch: false },
      };
      const outcome = await (await opened)(post);
      if (outcome.kind !== 'created') throw new Error(`a post came to ${outcome.kind}`);
      const { id, seq, createdAt } = outcome;
      const { title, severity } = post;
      const created_at = new Date(createdAt).toISOString();
      const answer = { id, group_id: groupId, seq, command: 'notify', title, severity, created_at };
      return await reply.code(201).send({ ...answer, body: post.body });
    },
  );
}

async function openCommit({ databaseUrl, dataDir }: Settings): Promise<Commit> {
  if (databaseUrl === undefined) {
    const connection = new SqliteConnection(databaseFile(dataDir), 'write');
    const posts = new SqlitePosts(connection);
    return (post) => {
      const job = { kind: 'post', post, at: systemClock.nowMs() } as const;
      const [outcome] = connection.transaction(() => posts.apply([job]));
      return outcome === undefined
        ? Promise.reject(new Error('a post came to nothing'))
        : Promise.resolve(outcome);
    };
  }
  const free = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await openWriteConnection(databaseUrl);
      return new GroupCommit({ connection });
    }),
  );
  const waiting: ((commit: GroupCommit) => void)[] = [];
  return async (post) => {
    const commit = free.pop() ?? (await new Promise<GroupCommit>((taken) => waiting.push(taken)));
    try {
      const job = { kind: 'post', post, at: systemClock.nowMs() } as const;
      const [answer] = await commit.commit(jobGroup([job]));
      if (answer === undefined) throw new Error('a post came to nothing');
      return answer.answer;
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.push(commit);
      else next(commit);
    }
  };
}
