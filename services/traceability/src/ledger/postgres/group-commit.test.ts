// Groups and failures of their connection: whichever message is lost, each job is done once and its
// answer is what is stored.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { systemClock } from '@lothub/kit/clock';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { jobGroup } from '@lothub/kit/test/job-group';
import { startCuttingProxy, type CuttingProxy } from '@lothub/kit/test/postgres/cutting-proxy';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import { ANSWER_WITHIN_MS } from '@lothub/kit/writer/queue';
import sql, { Sql } from 'sql-template-tag';
import { sealGenesis } from '../append/genesis.ts';
import type { HeadAnswer, HeadJob } from '../append/jobs.ts';
import type { Caller, DraftOutcome, Tip } from '../draft.ts';
import { ClockTrust } from '../clock-trust.ts';
import { DERIVED_VERSION, genesisRows } from '../rows-of-blocks.ts';
import { migrateLedger } from './migrate-ledger.ts';
import { GroupCommit } from './group-commit.ts';

let server: TestPostgres;

before(async () => {
  server = await startTestPostgres();
});

after(() => server[Symbol.asyncDispose]());

/** Tables of 0.5 whose rows would have no block when its processes write them beside this version. */
const WRITTEN_BY_OLDER = [
  ...['head', 'lot_holds', 'brands', 'api_keys', 'audit_entries'],
  ...['recall_cases', 'recall_moves', 'recall_lots', 'recall_notifications', 'recall_drills'],
  ...['private_lines', 'private_notes', 'private_requests', 'private_changes'],
];

interface Hub extends AsyncDisposable {
  readonly url: string;
  readonly proxy: CuttingProxy;
  /** Goes straight to the server. */
  readonly direct: PostgresConnection;
  /** A process that appends, by way of the proxy. */
  readonly groups: GroupCommit;
  readonly committed: readonly Tip[];
}

async function openHub(): Promise<Hub> {
  await using opening = new AsyncDisposableStack();
  const { url } = await server.createDatabase();
  const direct = opening.use(await PostgresConnection.open(url));
  await migrateLedger(direct);
  await begin(direct);
  const proxy = opening.use(await startCuttingProxy(url));
  const committed: Tip[] = [];
  const groups = await openGroups(opening, { url: proxy.url, committed });
  const opened = opening.move();
  return {
    url,
    proxy,
    direct,
    groups,
    committed,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

async function openGroups(
  stack: AsyncDisposableStack,
  {
    url,
    committed = [],
    settings = {},
  }: {
    readonly url: string;
    readonly committed?: Tip[];
    readonly settings?: Readonly<Record<string, string>>;
  },
): Promise<GroupCommit> {
  const connection = stack.use(
    await PostgresConnection.open(url, { connectionsMax: 1, pipeline: true, settings }),
  );
  return new GroupCommit({
    connection,
    clock: systemClock,
    clockTrust: ClockTrust.begin(systemClock),
    keeper: undefined,
    tiles: { grew: () => undefined, forget: () => undefined },
    isAlarmed: () => false,
    onCommitted: ({ tip }) => committed.push(tip),
  });
}

async function begin(connection: PostgresConnection): Promise<void> {
  const recordedAt = '2026-01-05T06:00:00.000Z';
  const block = sealGenesis({ hubName: 'Lothub', nonce: 'n', recordedAt });
  for (const statement of genesisRows(block, recordedAt)) await connection.all(statement);
}

const CALLER: Caller = { actor: 'test', requestId: null };

function append(externalId: string | null, lotCode = 'FLOUR-1'): HeadJob {
  const event = {
    event_type: 'RECEIVE',
    ...(externalId === null ? {} : { external_id: externalId }),
    lines: [
      { direction: 'in', lot_code: lotCode, product_sku: 'FLOUR', quantity: '10', unit: 'kg' },
    ],
    location: 'BAKERY-1',
    occurred_at: '2026-03-02T06:15:00Z',
    reference: 'PO-1',
  };
  const draft = {
    eventText: JSON.stringify(event),
    externalId,
    groupKey: null,
    privateLines: [],
    privateNotes: null,
    warnings: [],
  };
  return {
    kind: 'append',
    submission: { tenantId: 'bakery', caller: CALLER, drafts: [draft], unit: 'all' },
  };
}

function listOutcomes(answers: readonly HeadAnswer[]): readonly DraftOutcome[] {
  return answers.flatMap((answer) => (answer.kind === 'append' ? answer.answer.outcomes : []));
}

function readBlocks({ direct }: Hub): Promise<readonly Tip[]> {
  return direct.all<Tip>(sql`
    select height, hash
    from blocks
    where height > 0
    order by height`);
}

function listHeights(outcomes: readonly DraftOutcome[]): readonly number[] {
  return outcomes.map((outcome) => ('height' in outcome ? outcome.height : -1));
}

function listOutcomeKinds(answer: object): readonly string[] {
  return 'outcomes' in answer && Array.isArray(answer.outcomes)
    ? answer.outcomes.map((outcome: DraftOutcome) => outcome.kind)
    : [];
}

/** Waits until a group waits for the head, longer than a read takes. */
async function untilWaiting({ direct }: Hub): Promise<void> {
  for (;;) {
    const row = await direct.first(sql`
      select pid
      from pg_stat_activity
      where wait_event_type = 'Lock' and now() - query_start > interval '5 ms'`);
    if (row !== undefined) return;
  }
}

test('a group whose commit was answered to nobody stands, and is answered as it stands', async () => {
  await using hub = await openHub();
  await hub.groups.commit(jobGroup([append('A')]));
  hub.proxy.cutWhen('server', 'COMMIT');

  const answers = await hub.groups.commit(jobGroup([append('B'), append(null)]));

  const blocks = await readBlocks(hub);
  const [, second, third] = blocks;
  assert.equal(blocks.length, 3);
  assert.deepEqual(
    listOutcomes(answers).map((outcome) => ({ ...outcome })),
    [
      { kind: 'appended', ...second, heldLots: [] },
      { kind: 'appended', ...third, heldLots: [] },
    ],
  );
  assert.deepEqual(hub.committed.at(-1), third);
});

test('a lost answer is recognised also behind blocks that others appended since', async () => {
  await using hub = await openHub();
  await using stack = new AsyncDisposableStack();
  const other = await openGroups(stack, { url: hub.url });
  hub.proxy.cutWhen('server', 'COMMIT');

  const [lost, others] = await Promise.all([
    hub.groups.commit(jobGroup([append('MINE')])),
    other.commit(jobGroup([append('THEIRS-1'), append('THEIRS-2')])),
  ]);

  const blocks = await readBlocks(hub);
  const outcomes = [...listOutcomes(lost), ...listOutcomes(others)];
  assert.deepEqual(listHeights(outcomes).toSorted(), [1, 2, 3]);
  assert.ok(outcomes.every(({ kind }) => kind === 'appended'));
  assert.equal(blocks.length, 3);
});

for (const [moment, cut] of [
  ['before its head is taken', (proxy) => proxy.cutWhen('client', 'for update')],
  ['while it is written', (proxy) => proxy.cutWhen('client', 'insert into lines')],
  ['before its commit is sent', (proxy) => proxy.cutWhen('client', 'commit')],
] as const satisfies readonly (readonly [string, (proxy: CuttingProxy) => void])[]) {
  test(`a group whose connection is cut ${moment} is done once`, async () => {
    await using hub = await openHub();
    cut(hub.proxy);

    const answers = await hub.groups.commit(jobGroup([append('A'), append('B', 'SUGAR-1')]));

    assert.deepEqual(listHeights(listOutcomes(answers)), [1, 2]);
    assert.equal((await readBlocks(hub)).length, 2);
  });
}

test('a server that stays away is waited for, and its group goes on', async () => {
  await using hub = await openHub();
  await hub.groups.commit(jobGroup([append('A')]));
  await server.stop('immediate');
  const waiting = hub.groups.commit(jobGroup([append('B')]));

  await server.start();

  assert.deepEqual(listHeights(listOutcomes(await waiting)), [2]);
});

test('of a commit whose outcome nobody can learn in time nothing is claimed', async () => {
  await using hub = await openHub();
  hub.proxy.cutWhen('server', 'COMMIT');
  let nowMs = 0;

  const unsure = hub.groups.commit(jobGroup([append('A')], { clock: { elapsedMs: () => nowMs } }));
  // By the end of the first attempt there is no time for another one.
  nowMs = ANSWER_WITHIN_MS;

  await assert.rejects(unsure, { name: 'CommitUnknownError', code: 'database_unsure' });
  assert.equal((await readBlocks(hub)).length, 1);
  const again = await hub.groups.commit(jobGroup([append('A')]));
  assert.deepEqual(listOutcomes(again)[0]?.kind, 'replayed');
});

test('of two processes that post one external id at a time, one appends and one repeats', async () => {
  await using hub = await openHub();
  await using stack = new AsyncDisposableStack();
  const processes = [hub.groups, await openGroups(stack, { url: hub.url })];

  for (let round = 1; round <= 20; round += 1) {
    const answers = await Promise.all(
      processes.map((groups) => groups.commit(jobGroup([append(`RACE-${round}`)]))),
    );

    const kinds = answers.flatMap(listOutcomes).map(({ kind }) => kind);
    assert.deepEqual(kinds.toSorted(), ['appended', 'replayed']);
  }
  assert.equal((await readBlocks(hub)).length, 20);
});

test('a job that cannot be written is refused, and leaves nothing', async () => {
  await using hub = await openHub();
  await hub.direct.all(sql`alter table lines add check (lot_no < 3)`);

  const refused = hub.groups.commit(jobGroup([append('A'), append('B', 'B'), append('C', 'C')]));

  await assert.rejects(refused, { name: 'DatabaseError', code: 'database_failed' });
  assert.deepEqual(await readBlocks(hub), []);
  assert.deepEqual(
    listHeights(listOutcomes(await hub.groups.commit(jobGroup([append('A')])))),
    [1],
  );
});

test('a process that was left behind by a newer program writes nothing more', async () => {
  await using hub = await openHub();
  await hub.groups.commit(jobGroup([append('A')]));
  await hub.direct.all(sql`update head set derived_version = ${DERIVED_VERSION + 1}`);

  const refused = hub.groups.commit(jobGroup([append('B')]));

  await assert.rejects(refused, { name: 'DatabaseError', code: 'database_too_new' });
  assert.equal((await readBlocks(hub)).length, 1);
});

test('a process of an older generation writes nothing to the tables of what is sealed', async () => {
  await using hub = await openHub();
  await using stack = new AsyncDisposableStack();
  const settings = { 'lothub.generation': '1' };
  const older = await openGroups(stack, { url: hub.url, settings });
  const beside = stack.use(await PostgresConnection.open(hub.url, { settings }));

  const refused = older.commit(jobGroup([append('A')]));

  await assert.rejects(refused, { name: 'DatabaseError', code: 'database_too_new' });
  assert.deepEqual(await readBlocks(hub), []);
  for (const table of WRITTEN_BY_OLDER) {
    const writing = beside.all(new Sql([`delete from ${table} where false`], []));
    await assert.rejects(writing, { name: 'DatabaseError', code: 'database_too_new' }, table);
  }
});

test('a tail that somebody cut off is noticed by the next group, which goes on behind it', async () => {
  await using hub = await openHub();
  await hub.groups.commit(jobGroup([append('A'), append('B'), append('C')]));
  await hub.direct.transaction(async ({ execute }) => {
    await execute('set local session_replication_role = replica');
    await execute('delete from lines where height > 1; delete from events where height > 1');
    await execute('delete from blocks where height > 1');
  });

  const answers = await hub.groups.commit(jobGroup([append('D')]));

  assert.deepEqual(listHeights(listOutcomes(answers)), [2]);
  const alarms = await hub.direct.all(sql`select height, code from chain_alarms`);
  assert.deepEqual(alarms, [{ height: 2, code: 'tip_changed' }]);
});

test('what comes in while another process holds the head joins the group', async () => {
  await using hub = await openHub();
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holding = hub.direct.transaction(async ({ all }) => {
    await all(sql`select id from head where id = 1 for update`);
    begun.resolve();
    await release.promise;
  });
  await begun.promise;
  const later = [append('LATER', 'SALT-1'), append('NOW')];

  const committing = hub.groups.commit(jobGroup([append('NOW')], { later }));
  await untilWaiting(hub);
  release.resolve();
  const answers = await committing;

  await holding;
  assert.deepEqual(
    answers.map(({ answer }) => listOutcomeKinds(answer)),
    [['appended'], ['appended'], ['replayed']],
  );
  assert.equal((await readBlocks(hub)).length, 2);
  assert.equal(hub.committed.length, 1);
});

test('blocks that another process appended are no cut tail', async () => {
  await using hub = await openHub();
  await using stack = new AsyncDisposableStack();
  const other = await openGroups(stack, { url: hub.url });

  await hub.groups.commit(jobGroup([append('A')]));
  await other.commit(jobGroup([append('B')]));
  await hub.groups.commit(jobGroup([append('C')]));

  assert.deepEqual(await hub.direct.all(sql`select code from chain_alarms`), []);
  const linked = await hub.direct.all(sql`select height from blocks order by height`);
  assert.deepEqual(linked, [{ height: 0 }, { height: 1 }, { height: 2 }, { height: 3 }]);
});
