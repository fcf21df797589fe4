// Several processes over one PostgreSQL database: one hub, one chain, one answer, whichever of
// them is asked.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { ChainVerifier, parseBlock } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { PATIENCE_MS, stretchForLoad } from '@lothub/kit/test/patience';
import { chooseRounds, isLongRun, testInLongRun } from '@lothub/kit/test/rounds';
import { aLine, anEvent, newTenant, valueAt } from '../boot.ts';
import { runCli, testFolder, toText } from '../cli/run.ts';
import { change, request } from '../corrections/correction-requests.ts';
import { aFile, manyEvents } from '../csv-import/app.ts';
import { newBarePostgres, type PostgresTestDatabase } from '../engine.ts';
import { ServiceProcesses, type ProcessAnswer } from './processes.ts';
import { storedBlocks, storedHeight } from '../stored.ts';

const CLIENTS = chooseRounds({ usual: 4, long: 6 });
/** For each client, by the way they are sent. */
const SINGLES = chooseRounds({ usual: 15, long: 40 });
const BATCHES = chooseRounds({ usual: 2, long: 4 });
const BATCH_EVENTS = 30;
const IMPORTED_EVENTS = 60;
const CORRECTIONS = 10;
const BLOCKS_OF_A_CLIENT = SINGLES + BATCHES * BATCH_EVENTS + IMPORTED_EVENTS + CORRECTIONS;

const RACERS = 100;
/** A revoked key is refused everywhere within this time (docs/interface/traceability.md#keys). */
const REVOKED_WITHIN_MS = 1_000;
const POLL_MS = 10;
const RATE_LIMIT = 30;

/** A block that a client got in an answer. */
interface SeenBlock {
  readonly height: number;
  readonly hash: string;
}

function readSeenBlock(block: unknown): SeenBlock {
  return {
    height: Number(valueAt(block, 'block_height')),
    hash: String(valueAt(block, 'block_hash')),
  };
}

function ofEach(answer: ProcessAnswer): readonly SeenBlock[] {
  assert.ok(answer.status === 200 || answer.status === 201, JSON.stringify(answer.json));
  const results = valueAt(answer.json, 'results');
  assert.ok(Array.isArray(results));
  return results.map(readSeenBlock);
}

function countEqual<Value>(values: readonly Value[], sought: Value): number {
  return values.filter((value) => value === sought).length;
}

for (const count of isLongRun ? [4] : [2]) {
  describe(`${count} processes over one database`, () => {
    let database: PostgresTestDatabase;
    let processes: ServiceProcesses;
    before(async () => {
      database = await newBarePostgres();
      processes = await ServiceProcesses.start({ count, databaseUrl: database.databaseUrl });
    });
    after(async () => {
      await processes[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    });

    /** The same question to every process. */
    async function askAll(path: string, headers = {}): Promise<readonly ProcessAnswer[]> {
      return await Promise.all(
        processes.bases.map((base) => processes.call(base, path, { headers })),
      );
    }

    test('those that start at the same moment on an empty database make one hub', async () => {
      const answers = await askAll('/public/explorer');

      const tips = new Set(answers.map(({ json }) => valueAt(json, 'stats', 'tip_hash')));
      const [genesis] = await storedBlocks(database);
      const keys = await database.rows('select role from api_keys order by role');
      assert.deepEqual([...tips], [genesis?.blockHash]);
      assert.equal(await storedHeight(database), 0);
      assert.deepEqual(
        keys.map(({ role }) => role),
        ['admin', 'tenant'],
      );
    });

    /** Everything that one client sends, each request to the next process; returns the acknowledged blocks. */
    async function beClient(name: string): Promise<readonly SeenBlock[]> {
      const headers = { 'X-Tenant-Id': name };
      const acknowledged: SeenBlock[] = [];
      const post = (path: string, body: unknown) =>
        processes.post(processes.nextBase(), path, body, headers);
      for (let index = 0; index < SINGLES; index += 1) {
        const event = anEvent({ external_id: `s-${index}`, event_type: 'PRODUCE' });
        const answer = await post('/v1/events', event);
        assert.equal(answer.status, 201, JSON.stringify(answer.json));
        acknowledged.push(readSeenBlock(valueAt(answer.json, 'chain')));
        if (index >= CORRECTIONS) continue;
        const eventId = Number(valueAt(answer.json, 'id'));
        const correction = request(eventId, [change('lines[0].quantity', 250.5, index + 1)]);
        const corrected = await post('/v1/corrections', correction);
        assert.equal(corrected.status, 201, JSON.stringify(corrected.json));
        acknowledged.push(readSeenBlock(valueAt(corrected.json, 'chain')));
      }
      for (let batch = 0; batch < BATCHES; batch += 1) {
        const events = Array.from({ length: BATCH_EVENTS }, (_, index) =>
          anEvent({ external_id: `b-${batch}-${index}`, lines: [aLine(), aLine()] }),
        );
        const query = batch % 2 === 0 ? '' : '?on_error=proceed';
        acknowledged.push(...ofEach(await post(`/v1/events/batch${query}`, events)));
      }
      return acknowledged;
    }

    async function beImporter(name: string): Promise<number> {
      const form = new FormData();
      form.append('file', new Blob([aFile(manyEvents(IMPORTED_EVENTS))]), 'events.csv');
      const answer = await processes.call(processes.nextBase(), '/v1/import/csv', {
        method: 'POST',
        headers: { 'X-Tenant-Id': name },
        body: form,
      });
      assert.equal(answer.status, 201, JSON.stringify(answer.json));
      return Number(valueAt(answer.json, 'accepted'));
    }

    test('posts, batches, imports and corrections interleave into one dense chain', async () => {
      const names = Array.from({ length: CLIENTS }, newTenant);
      const first = (await storedHeight(database)) + 1;

      const [acknowledged, imported] = await Promise.all([
        Promise.all(names.map(beClient)),
        Promise.all(names.map(beImporter)),
      ]);

      const blocks = await storedBlocks(database);
      const hashOf = new Map(blocks.map(({ height, blockHash }) => [height, blockHash]));
      for (const { height, hash } of acknowledged.flat()) assert.equal(hashOf.get(height), hash);
      assert.equal(
        new Set(acknowledged.flat().map(({ height }) => height)).size,
        acknowledged.flat().length,
      );
      assert.deepEqual(new Set(imported), new Set([IMPORTED_EVENTS]));
      assert.equal(await storedHeight(database), first - 1 + CLIENTS * BLOCKS_OF_A_CLIENT);
      const repeated = await database.rows(
        'select external_id from events where external_id is not null ' +
          'group by tenant_no, external_id having count(*) > 1',
      );
      assert.deepEqual(repeated, []);
    });

    test('what is exported afterwards is one chain from genesis, without a gap', async () => {
      await using folder = await testFolder();
      const file = folder.file('chain.jsonl');

      const run = await runCli(['export', file], processes.env);

      assert.equal(run.code, 0, run.stderr);
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
      const blocks = lines.map((canonical) => ({
        height: parseBlock(canonical).height,
        blockHash: sha256Hex(canonical),
        canonical,
      }));
      const verifier = new ChainVerifier({ hash: sha256Hex, depth: 'contents' });
      assert.equal(verifier.verifyBlocks(blocks), undefined);
      assert.equal(blocks.length, (await storedHeight(database)) + 1);
    });

    test('every process answers with the same tip', async () => {
      const answers = await askAll('/public/explorer');

      // How far the chain is verified is looked up by each process in its own time.
      const tips = new Set(answers.map(({ json }) => valueAt(json, 'stats', 'tip_hash')));
      const height = await storedHeight(database);
      assert.equal(tips.size, 1, [...tips].join('\n'));
      for (const { json } of answers) {
        assert.equal(valueAt(json, 'stats', 'blocks'), height + 1);
        assert.equal(valueAt(json, 'stats', 'chain_valid'), true);
      }
    });

    test('the whole ledger verifies, derived rows and sums included', async () => {
      const run = await runCli(['verify', '--json'], processes.env);

      assert.equal(run.code, 0, run.stdout + run.stderr);
    });

    test(`${RACERS} racing posts of one external_id at all processes give one block`, async () => {
      const headers = { 'X-Tenant-Id': newTenant() };
      const event = anEvent({ external_id: 'race' });
      const height = await storedHeight(database);

      const answers = await Promise.all(
        Array.from({ length: RACERS }, () =>
          processes.post(processes.nextBase(), '/v1/events', event, headers),
        ),
      );

      const statuses = answers.map(({ status }) => status);
      const hashes = new Set(answers.map(({ json }) => valueAt(json, 'chain', 'block_hash')));
      assert.deepEqual([countEqual(statuses, 201), countEqual(statuses, 200)], [1, RACERS - 1]);
      assert.equal(hashes.size, 1);
      assert.equal(await storedHeight(database), height + 1);
    });

    test('racing posts of one external_id with other contents keep one of them', async () => {
      const headers = { 'X-Tenant-Id': newTenant() };

      const answers = await Promise.all(
        Array.from({ length: RACERS }, (_, index) => {
          const event = anEvent({ external_id: 'race', reference: `R-${index}` });
          return processes.post(processes.nextBase(), '/v1/events', event, headers);
        }),
      );

      const statuses = answers.map(({ status }) => status);
      assert.deepEqual([countEqual(statuses, 201), countEqual(statuses, 400)], [1, RACERS - 1]);
    });

    test('racing batches at all processes that share external ids store each once', async () => {
      const headers = { 'X-Tenant-Id': newTenant() };
      const height = await storedHeight(database);
      // Batch i holds the ids i to i + 9, so every id is in up to ten of them.
      const batches = Array.from({ length: 20 }, (_, from) =>
        Array.from({ length: 10 }, (_, offset) => anEvent({ external_id: `id-${from + offset}` })),
      );

      const answers = await Promise.all(
        batches.map((batch) =>
          processes.post(processes.nextBase(), '/v1/events/batch', batch, headers),
        ),
      );

      const accepted = answers.map(({ json }) => Number(valueAt(json, 'accepted')));
      assert.equal(
        accepted.reduce((sum, one) => sum + one, 0),
        29,
      );
      assert.equal(await storedHeight(database), height + 29);
    });

    test('a lot held at one process is warned of at every other at once', async () => {
      const headers = { 'X-Tenant-Id': newTenant() };
      const lines = [aLine({ lot_code: 'HELD' })];
      const hold = { reason: 'moisture above limit', by: 'Ada' };
      await processes.post(processes.nextBase(), '/v1/events', anEvent({ lines }), headers);
      const [holding, ...others] = processes.bases;

      const held = await processes.post(holding!, '/v1/lots/HELD/hold', hold, headers);
      const posted = await Promise.all(
        others.map((base) => processes.post(base, '/v1/events', anEvent({ lines }), headers)),
      );

      assert.ok(held.status < 300, JSON.stringify(held.json));
      for (const { status, json } of posted) {
        assert.equal(status, 201);
        assert.equal(valueAt(json, 'warnings', 0, 'code'), 'lot_on_hold');
      }
    });

    test('an event posted at one process is there for every other at once', async () => {
      const headers = { 'X-Tenant-Id': newTenant() };
      const [posting, ...others] = processes.bases;
      for (let index = 0; index < 10; index += 1) {
        const posted = await processes.post(posting!, '/v1/events', anEvent(), headers);
        const lists = await Promise.all(
          others.map((base) => processes.call(base, '/v1/events?limit=1', { headers })),
        );

        for (const { json } of lists) {
          assert.equal(valueAt(json, 'events', 0, 'id'), valueAt(posted.json, 'id'));
        }
      }
    });

    test('a correction at one process counts in the reads of every other at once', async () => {
      const headers = { 'X-Tenant-Id': newTenant() };
      const [correcting, ...others] = processes.bases;
      const posted = await processes.post(others[0]!, '/v1/events', anEvent(), headers);
      const eventId = Number(valueAt(posted.json, 'id'));

      const correction = request(eventId, [change('lines[0].quantity', 250.5, 7)]);
      const answer = await processes.post(correcting!, '/v1/corrections', correction, headers);
      const lists = await Promise.all(
        others.map((base) => processes.call(base, '/v1/events?limit=1', { headers })),
      );

      assert.equal(answer.status, 201, JSON.stringify(answer.json));
      for (const { json } of lists) {
        assert.equal(valueAt(json, 'events', 0, 'lines', 0, 'quantity'), 7);
      }
    });

    test('corrections of one event that race at all processes do not undo one another', async () => {
      const headers = { 'X-Tenant-Id': newTenant() };
      const posted = await processes.post(processes.nextBase(), '/v1/events', anEvent(), headers);
      const eventId = Number(valueAt(posted.json, 'id'));

      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => {
          const changes = [change('lines[0].quantity', 250.5, index + 1)];
          const body = request(eventId, changes);
          return processes.post(processes.nextBase(), '/v1/corrections', body, headers);
        }),
      );

      const statuses = answers.map(({ status }) => status);
      // Each was planned on 250.5; whoever comes second gets an error, because it is not so any more.
      assert.deepEqual([countEqual(statuses, 201), countEqual(statuses, 400)], [1, 9]);
    });

    test('a key that the command line revokes is refused by all within a second', async () => {
      const issued = await runCli(
        ['keys', 'issue', '--role', 'tenant', '--label', 'passing', '--any-tenant', '--json'],
        processes.env,
      );
      assert.equal(issued.code, 0, issued.stderr);
      const headers = { 'X-Api-Key': toText(issued.json['key']?.['key']) };
      const isTaken = async (base: string) =>
        (await processes.call(base, '/v1/events', { headers })).status === 200;
      const until = async (base: string, taken: boolean): Promise<number> => {
        const startedMs = performance.now();
        while ((await isTaken(base)) !== taken) {
          assert.ok(performance.now() - startedMs < PATIENCE_MS, `a key is taken: ${!taken}`);
          await sleep(POLL_MS);
        }
        return performance.now() - startedMs;
      };
      await Promise.all(processes.bases.map((base) => until(base, true)));

      const keyId = toText(issued.json['key']?.['key_id']);
      const revoked = await runCli(['keys', 'revoke', keyId], processes.env);
      const refusedAfterMs = await Promise.all(processes.bases.map((base) => until(base, false)));

      assert.equal(revoked.code, 0, revoked.stderr);
      assert.ok(
        Math.max(...refusedAfterMs) <= stretchForLoad(REVOKED_WITHIN_MS),
        refusedAfterMs.join(', '),
      );
    });

    testInLongRun('requests are counted across processes', async () => {
      await using limited = await ServiceProcesses.start({
        count: 2,
        databaseUrl: database.databaseUrl,
        env: {
          LOG_KEY_FILE: processes.env['LOG_KEY_FILE']!,
          RATE_LIMIT_V1: String(RATE_LIMIT),
          RATE_LIMIT_PUBLIC: String(RATE_LIMIT),
        },
      });
      const ask = (path: string) =>
        Promise.all(
          Array.from({ length: 2 * RATE_LIMIT }, () => limited.call(limited.nextBase(), path)),
        );

      const withKey = (await ask('/v1/events')).map(({ status }) => status);
      const open = (await ask('/public/explorer')).map(({ status }) => status);

      const expected = [RATE_LIMIT, RATE_LIMIT];
      assert.deepEqual([countEqual(withKey, 200), countEqual(withKey, 429)], expected);
      assert.deepEqual([countEqual(open, 200), countEqual(open, 429)], expected);
    });
  });
}
