// Groups of posts and what may happen to their connection: whatever is lost on the way, each post is
// written once and answered with what is stored.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { readMigrations } from '@lothub/kit/migrations';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import { makeNamespace, migratePostgres } from '@lothub/kit/postgres/migrate';
import { jobGroup } from '@lothub/kit/test/job-group';
import { startCuttingProxy, type CuttingProxy } from '@lothub/kit/test/postgres/cutting-proxy';
import { startTestPostgres } from '@lothub/kit/test/postgres/server';
import { ANSWER_WITHIN_MS } from '@lothub/kit/writer/queue';
import { PostgresPeopleStore } from '@lothub/people/store/postgres/store';
import sql from 'sql-template-tag';
import { postTo } from '../../../test/stored-group.ts';
import type { PostAnswer, PostJob } from '../jobs.ts';
import type { Post } from '../post.ts';
import { POSTGRES_NAMESPACE, SERVICE_NAME, postgresSchemaFolder } from '../schema.ts';
import { openConnections, openWriteConnection } from './connections.ts';
import { lockFeedHead } from './feed-head.ts';
import { GroupCommit } from './group-commit.ts';

const GROUP_ID = 'grp_1';

const server = await openForFile(startTestPostgres());

interface Ground extends AsyncDisposable {
  readonly url: string;
  readonly proxy: CuttingProxy;
  /** Goes straight to the server. */
  readonly direct: PostgresConnection;
  /** A process that posts, by way of the proxy. */
  readonly groups: GroupCommit;
}

async function openGround(): Promise<Ground> {
  await using opening = new AsyncDisposableStack();
  const { url } = await server.createDatabase();
  const direct = opening.use(await openConnections(url));
  await (await PostgresPeopleStore.open({ databaseUrl: url })).close();
  await makeNamespace(direct, POSTGRES_NAMESPACE);
  await migratePostgres(direct, readMigrations(postgresSchemaFolder), SERVICE_NAME);
  await direct.all(sql`
    insert into groups (id, name, retention_days, retention_rows, created_at)
    values (${GROUP_ID}, 'Operations', 90, 50000, 1)`);
  await direct.all(sql`insert into group_heads (group_id) values (${GROUP_ID})`);
  const proxy = opening.use(await startCuttingProxy(url));
  const groups = await openGroups(opening, { url: proxy.url });
  const opened = opening.move();
  return { url, proxy, direct, groups, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function openGroups(
  stack: AsyncDisposableStack,
  { url }: { readonly url: string },
): Promise<GroupCommit> {
  const connection = stack.use(await openWriteConnection(url));
  return new GroupCommit({ connection });
}

function post(title: string, changes: Partial<Post> = {}): PostJob {
  return { kind: 'post', post: postTo(GROUP_ID, { title, ...changes }), at: 1_000 };
}

function repeatable(title: string): PostJob {
  return post(title, { idempotency: { key: title, contentHash: title } });
}

/** Such as `created 3`. */
function listPlaces(answers: readonly PostAnswer[]): readonly string[] {
  return answers.map(({ answer }) =>
    'seq' in answer ? `${answer.kind} ${answer.seq}` : answer.kind,
  );
}

async function readTitles({ direct }: Ground): Promise<readonly string[]> {
  const rows = await direct.all<{ readonly title: string }>(sql`
    select title
    from notifications
    order by id`);
  return rows.map(({ title }) => title);
}

/** Until so many groups wait, each for longer than it would take to read. */
async function untilWaiting({ direct }: Ground, groups = 1): Promise<void> {
  for (;;) {
    const waiting = await direct.all(sql`
      select pid
      from pg_stat_activity
      where wait_event_type = 'Lock' and now() - query_start > interval '5 ms'`);
    if (waiting.length >= groups) return;
  }
}

/** Holds the head of the feed until it is released. */
async function holdHead({ direct }: Ground): Promise<() => Promise<void>> {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = direct.transaction(async (transaction) => {
    await lockFeedHead(transaction);
    begun.resolve();
    await release.promise;
  });
  await begun.promise;
  return async () => {
    release.resolve();
    await holding;
  };
}

test('a group whose commit was answered to nobody stands, and is answered as it stands', async () => {
  await using ground = await openGround();
  await ground.groups.commit(jobGroup([post('A')]));
  ground.proxy.cutWhen('server', 'COMMIT');

  const answers = await ground.groups.commit(jobGroup([post('B'), repeatable('C')]));

  assert.deepEqual(listPlaces(answers), ['created 2', 'created 3']);
  assert.deepEqual(await readTitles(ground), ['A', 'B', 'C']);
});

test('a lost answer is recognised also behind what others have posted since', async () => {
  await using ground = await openGround();
  await using stack = new AsyncDisposableStack();
  const other = await openGroups(stack, { url: ground.url });
  ground.proxy.cutWhen('server', 'COMMIT');

  const answers = await Promise.all([
    ground.groups.commit(jobGroup([post('mine')])),
    other.commit(jobGroup([post('theirs'), post('theirs')])),
  ]);

  assert.deepEqual(answers.flatMap(listPlaces).toSorted(), ['created 1', 'created 2', 'created 3']);
  assert.deepEqual((await readTitles(ground)).toSorted(), ['mine', 'theirs', 'theirs']);
});

test('the same words at the same place by another process are not taken for what was lost', async () => {
  await using ground = await openGround();
  await using stack = new AsyncDisposableStack();
  const other = await openGroups(stack, { url: ground.url });
  const letGo = await holdHead(ground);
  const committing = ground.groups.commit(jobGroup([post('same')]));
  await untilWaiting(ground);
  const others = other.commit(jobGroup([post('same')]));
  await untilWaiting(ground, 2);

  // The first is undone at its commit, which it has sent; the second gets its place, unless the first is
  // there again before the server has woken the second.
  ground.proxy.cutWhen('client', 'commit');
  await letGo();

  const places = [...listPlaces(await others), ...listPlaces(await committing)];
  assert.deepEqual(places.toSorted(), ['created 1', 'created 2']);
  assert.deepEqual(await readTitles(ground), ['same', 'same']);
});

for (const [moment, cut] of [
  ['before the head is taken', (proxy) => proxy.cutWhen('client', 'for update')],
  ['while it is written', (proxy) => proxy.cutWhen('client', 'update group_heads')],
  ['before its commit is sent', (proxy) => proxy.cutWhen('client', 'commit')],
] as const satisfies readonly (readonly [string, (proxy: CuttingProxy) => void])[]) {
  test(`a group whose connection is cut ${moment} is written once`, async () => {
    await using ground = await openGround();
    cut(ground.proxy);

    const answers = await ground.groups.commit(jobGroup([post('A'), post('B')]));

    assert.deepEqual(listPlaces(answers), ['created 1', 'created 2']);
    assert.deepEqual(await readTitles(ground), ['A', 'B']);
  });
}

test('a server that stays away is waited for, and its group goes on', async () => {
  await using ground = await openGround();
  await ground.groups.commit(jobGroup([post('A')]));
  await server.stop('immediate');
  const waiting = ground.groups.commit(jobGroup([post('B')]));

  await server.start();

  assert.deepEqual(listPlaces(await waiting), ['created 2']);
});

test('of a commit whose outcome nobody can learn in time nothing is claimed', async () => {
  await using ground = await openGround();
  ground.proxy.cutWhen('server', 'COMMIT');
  let nowMs = 0;

  const unsure = ground.groups.commit(
    jobGroup([repeatable('A')], { clock: { elapsedMs: () => nowMs } }),
  );
  // By the end of the first attempt there is no time for another one.
  nowMs = ANSWER_WITHIN_MS;

  await assert.rejects(unsure, { name: 'CommitUnknownError', code: 'database_unsure' });
  const again = await ground.groups.commit(jobGroup([repeatable('A')]));
  assert.deepEqual(listPlaces(again), ['replayed 1']);
});

test('of two processes that post one idempotency key at a time, one writes and one repeats', async () => {
  await using ground = await openGround();
  await using stack = new AsyncDisposableStack();
  const processes = [ground.groups, await openGroups(stack, { url: ground.url })];

  for (let round = 1; round <= 20; round += 1) {
    const answers = await Promise.all(
      processes.map((groups) => groups.commit(jobGroup([repeatable(`race ${round}`)]))),
    );

    assert.deepEqual(answers.flatMap(listPlaces).toSorted(), [
      `created ${round}`,
      `replayed ${round}`,
    ]);
  }
  assert.equal((await readTitles(ground)).length, 20);
});

test('a post that cannot be written is refused with its group, and leaves nothing', async () => {
  await using ground = await openGround();
  await ground.direct.all(sql`alter table notifications add check (title <> 'forbidden')`);

  const refused = ground.groups.commit(jobGroup([post('A'), repeatable('forbidden')]));

  await assert.rejects(refused, { name: 'DatabaseError', code: 'database_failed' });
  assert.deepEqual(await readTitles(ground), []);
  assert.deepEqual(listPlaces(await ground.groups.commit(jobGroup([post('B')]))), ['created 1']);
});

test('what comes in while another process holds the head joins the group', async () => {
  await using ground = await openGround();
  const letGo = await holdHead(ground);

  const committing = ground.groups.commit(
    jobGroup([repeatable('now')], { later: [post('later'), repeatable('now')] }),
  );
  await untilWaiting(ground);
  await letGo();

  assert.deepEqual(listPlaces(await committing), ['created 1', 'created 2', 'replayed 1']);
  assert.deepEqual(await readTitles(ground), ['now', 'later']);
});
