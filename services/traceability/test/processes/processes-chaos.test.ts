// Services, connections and PostgreSQL itself die under load, round after round. Whatever was
// acknowledged is there afterwards, once and with its hash; whatever was not is resolved by sending it
// again; and nobody has to start anything by hand but what was killed.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { startCuttingProxy, type CuttingProxy } from '@lothub/kit/test/postgres/cutting-proxy';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import { chooseRounds } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { valueAt } from '../boot.ts';
import { runCli } from '../cli/run.ts';
import { openSecondDatabase, type PostgresTestDatabase } from '../engine.ts';
import { NO_DAMAGE, findDamage, newRecord, postUntilAcknowledged, readStored } from '../posting.ts';
import { ServiceProcesses } from './processes.ts';

const SEED_MAX = 2 ** 31;
const givenSeed = process.env['LOTHUB_TEST_SEED'];
/** Another one in each run, unless the variable says which. */
const testSeed = Number(givenSeed || Math.floor(Math.random() * SEED_MAX));

const PROCESSES = chooseRounds({ usual: 2, long: 3 });
const CLIENTS = 4;
/** For each client's requests, one in so many is a batch. */
const BATCH_EVERY = 4;
const BATCH_EVENTS = 10;
/** How often each disaster comes; 54 rounds in all in the long run. */
const TIMES = chooseRounds({ usual: 1, long: 9 });
/** Posting continues for so long before a disaster. */
const CALM_MAX_MS = 150;
/** A server that crashed stays away for so long. */
const AWAY_MAX_MS = 400;

type Disaster =
  | { readonly kind: 'a service is killed'; readonly process: number }
  | { readonly kind: 'PostgreSQL crashes'; readonly awayMs: number }
  | { readonly kind: 'sessions are ended'; readonly share: number }
  | { readonly kind: 'all connections are cut' }
  | { readonly kind: 'the word to commit is cut off' }
  | { readonly kind: 'the answer to a commit is cut off' };

interface Round {
  readonly disaster: Disaster;
  readonly calmMs: number;
}

const calmMs = fc.integer({ min: 0, max: CALM_MAX_MS });
const DISASTERS: readonly fc.Arbitrary<Disaster>[] = [
  fc.record({
    kind: fc.constant('a service is killed' as const),
    process: fc.nat(PROCESSES - 1),
  }),
  fc.record({ kind: fc.constant('PostgreSQL crashes' as const), awayMs: fc.nat(AWAY_MAX_MS) }),
  fc.record({
    kind: fc.constant('sessions are ended' as const),
    share: fc.double({ min: 0.2, max: 1, noNaN: true }),
  }),
  fc.constant({ kind: 'all connections are cut' as const }),
  fc.constant({ kind: 'the word to commit is cut off' as const }),
  fc.constant({ kind: 'the answer to a commit is cut off' as const }),
];

/** Every disaster as often as every other, in an order that the seed decides. */
function planRounds(seed: number): readonly Round[] {
  const ofEach = DISASTERS.flatMap((disaster) =>
    Array.from({ length: TIMES }, () => fc.record({ disaster, calmMs })),
  );
  const order = fc.shuffledSubarray([...ofEach.keys()], { minLength: ofEach.length });
  const plan = order.chain((indexes) => fc.tuple(...indexes.map((index) => ofEach[index]!)));
  return fc.sample(plan, { seed, numRuns: 1 })[0]!;
}

let server: TestPostgres;
let proxy: CuttingProxy;
let database: PostgresTestDatabase;
let processes: ServiceProcesses;
before(async () => {
  server = await startTestPostgres({ fsync: 'on' });
  const { url } = await server.createDatabase();
  proxy = await startCuttingProxy(url);
  database = await openSecondDatabase(url);
  processes = await ServiceProcesses.start({ count: PROCESSES, databaseUrl: proxy.url });
  // A process that ends in order leaves its compiled code for those that start after it.
  await processes.replace(0, 'SIGTERM');
});
after(async () => {
  await processes[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function strike(disaster: Disaster): Promise<void> {
  switch (disaster.kind) {
    case 'a service is killed':
      return await processes.replace(disaster.process);
    case 'PostgreSQL crashes':
      await server.stop('immediate');
      await sleep(disaster.awayMs);
      return await server.start();
    case 'sessions are ended':
      await database.rows(
        'select pg_terminate_backend(pid) from pg_stat_activity ' +
          'where datname = current_database() and pid <> pg_backend_pid() and random() < ?',
        disaster.share,
      );
      return;
    case 'all connections are cut':
      return proxy.cut();
    case 'the word to commit is cut off':
      return proxy.cutWhen('client', 'commit');
    case 'the answer to a commit is cut off':
      return proxy.cutWhen('server', 'COMMIT');
  }
}

const rounds = planRounds(testSeed);

test(`${rounds.length} disasters under load lose nothing that was acknowledged`, async (t) => {
  t.diagnostic(`LOTHUB_TEST_SEED=${testSeed}`);
  const record = newRecord();
  const options = { record, patienceMs: PATIENCE_MS };
  let unanswered = 0;
  let over = false;
  const client = async (name: string): Promise<void> => {
    for (let count = 0; !over; count += 1) {
      const id = `${name}-${count}`;
      const isBatch = count % BATCH_EVERY === BATCH_EVERY - 1;
      const ids = isBatch
        ? Array.from({ length: BATCH_EVENTS }, (_, index) => `${id}-${index}`)
        : [id];
      unanswered += await postUntilAcknowledged(processes.nextBase, ids, options);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(`client-${n}`)));
  let longestMs = 0;

  try {
    for (const [number, { disaster, calmMs }] of rounds.entries()) {
      await sleep(calmMs);
      await strike(disaster);
      const startedMs = performance.now();
      await Promise.all(
        processes.bases.map((base, index) =>
          postUntilAcknowledged(() => base, [`round-${number}-${index}`], options),
        ),
      ).catch((error: unknown) => {
        throw new Error(`round ${number}, ${disaster.kind}: no recovery`, { cause: error });
      });
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    }
  } finally {
    over = true;
    await clients;
  }

  t.diagnostic(`${record.acknowledged.length} events acknowledged`);
  t.diagnostic(`${unanswered} attempts unanswered`);
  t.diagnostic(`served by all again within ${Math.round(longestMs)} ms at most`);
  assert.deepEqual(record.refused, []);
  assert.deepEqual(findDamage(await readStored(database), record), NO_DAMAGE);
  assert.ok(unanswered > 0);
});

test('after all of this every process answers with one sound chain', async () => {
  const answers = await Promise.all(
    processes.bases.map((base) => processes.call(base, '/public/explorer')),
  );

  const tips = new Set(answers.map(({ json }) => valueAt(json, 'stats', 'tip_hash')));
  assert.equal(tips.size, 1);
  for (const { json } of answers) assert.equal(valueAt(json, 'stats', 'chain_valid'), true);
});

test('after all of this the whole ledger verifies, derived rows and sums included', async () => {
  const run = await runCli(['verify', '--json'], processes.env);

  assert.equal(run.code, 0, run.stdout + run.stderr);
});
