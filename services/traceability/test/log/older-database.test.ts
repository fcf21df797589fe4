// A database from before the last log began is put back: the hub does not continue as a log that has ended, and
// the statements beside the database, or a copy that somebody kept, lead to a further log.
import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  judgeCheckpoint,
  parseCheckpoint,
  parseEpochList,
  parseEpochStatement,
  parsePolicy,
} from '@lothub/chain/log';
import { verifySignature } from '@lothub/chain/test/log/test-keys';
import { statementsFile } from '../../src/ledger/log/epochs/statements-file.ts';
import { logKeyFile } from '../../src/ledger/log/log-key.ts';
import { logRecordFile } from '../../src/ledger/log/log-record.ts';
import { boot, valueAt } from '../boot.ts';
import { runCli, testFolder } from '../cli/run.ts';
import { makeCopy } from './older-copy.ts';
import { ask, readLine, monitorArgs, post, listReports, stateArgs } from './readers.ts';

/** Events of the database that is put back, and those behind it in each later log. */
const KEPT = 3;
const LATER = 2;
/** Files beside the database that belong to it. */
const NEARBY_FILES = ['log.key', 'log.json', 'tip.json'];
/** With the first block. */
const SIZE_KEPT = KEPT + 1;

/** A hub in whose second log, or a later one, events were recorded that the database has lost. */
async function putOlderBack({ logs = 2 }: { readonly logs?: number } = {}) {
  const folder = await testFolder();
  const early = await boot();
  const { database } = early;
  for (let number = 0; number < KEPT; number += 1) await post(early, number);
  const oldVkey = await readLine(early, '/log/1/vkeys');
  await writeFile(folder.file('policy'), `log ${oldVkey}\nquorum none\n`);
  await early.service.close();
  const older = await makeCopy(database);
  for (const name of NEARBY_FILES)
    await cp(join(database.dataDir, name), folder.file(`old-${name}`));
  let published = '';
  let evidence = '';
  for (let log = 2; log <= logs; log += 1) {
    const args = ['--reason', 'key_stolen', '--json'];
    const begun = await runCli(['log', 'new-epoch', ...args], database.env);
    assert.equal(begun.code, 0, begun.stdout);
    const hub = await boot({ database });
    for (let number = 0; number < LATER; number += 1) await post(hub, 10 * log + number);
    published = (await hub.call('/log/epochs')).text;
    evidence = (await hub.call('/public/verify/LOT-1/evidence')).text;
    assert.equal((await ask(stateArgs(hub, folder, 'kept'))).code, 0);
    assert.equal((await ask(monitorArgs(hub, folder))).code, 0);
    await hub.service.close();
  }
  const last = SIZE_KEPT + (logs - 1) * LATER;
  await writeFile(folder.file('published'), published);
  await writeFile(folder.file('evidence'), evidence);
  const env = await older.putBack();
  return {
    folder,
    database,
    env,
    last,
    /** What `/log/epochs` served last. */
    published,
    restart: () => boot({ database, env }),
    [Symbol.asyncDispose]: async () => {
      await older[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function beginLog(
  { env }: { readonly env: Readonly<Record<string, string>> },
  ...args: readonly string[]
) {
  return await runCli(['log', 'new-epoch', '--reason', 'restore', ...args, '--json'], env);
}

test('the log behind the last one says what is lost, and everybody who kept something follows it', async () => {
  await using older = await putOlderBack();
  const { folder, published } = older;
  const started = await older.restart().then(
    async (hub) => (await hub.service.close(), 'started'),
    (error: unknown) => String(error),
  );

  const begun = await beginLog(older);

  assert.match(started, /is of before the log lothub-[0-9a-f]{16}\/log\/2 began/);
  assert.equal(begun.code, 0, begun.stdout);
  await using hub = await older.restart();
  const list = (await hub.call('/log/epochs')).text;
  const [second, third] = parseEpochList(list);
  assert.ok(list.startsWith(published));
  const [before, statement] = [second!, third!].map(({ note }) => parseEpochStatement(note));
  assert.deepEqual([valueAt(begun.json, 'epoch'), third?.epoch], [3, 3]);
  assert.deepEqual(
    [statement!.old, statement!.last.size, statement!.common.size, statement!.reason],
    [before!.new, older.last, SIZE_KEPT, 'restore'],
  );
  const posted = await post(hub, 100);
  assert.equal(valueAt(posted, 'log', 'origin'), statement!.new);

  // All of these believe in the key of the first log alone.
  const kept = await ask(stateArgs(hub, folder, 'kept'));
  const monitored = await ask(monitorArgs(hub, folder));
  const judged = await ask([
    ...['verify', '--evidence', folder.file('evidence'), '--policy', folder.file('policy')],
    ...['--url', hub.base],
  ]);
  assert.equal(kept.code, 0, kept.stdout);
  assert.deepEqual(valueAt(kept.json, 'lost'), {
    origin: statement!.old,
    from: SIZE_KEPT,
    below: older.last,
  });
  const codes = listReports(monitored).map((report) => valueAt(report, 'code'));
  assert.deepEqual(
    [monitored.code, codes.filter((code) => code !== undefined)],
    [1, ['entries_lost']],
  );
  assert.equal(judged.code, 0, judged.stdout);
  assert.equal(valueAt(judged.json, 'lost'), undefined);

  const last = parseCheckpoint((await hub.call('/log/2/checkpoint')).text);
  const verdict = await judgeCheckpoint(last, {
    policy: parsePolicy(`log ${before!.vkey}\nquorum none\n`),
    verify: verifySignature,
  });
  assert.deepEqual([verdict.refused, last.size], [undefined, older.last]);
  const statuses = [];
  for (const path of [
    `/log/1/blocks/000.p/${SIZE_KEPT}`,
    `/log/2/blocks/000.p/${SIZE_KEPT}`,
    `/log/2/proof/${SIZE_KEPT - 1}`,
    `/log/2/proof/${SIZE_KEPT}`,
    // Nobody has the key of the first log any more.
    '/log/1/checkpoint',
  ]) {
    statuses.push((await hub.call(path)).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 404, 503]);
});

test('verify --accept-tip does the same, over more than one log', async () => {
  await using older = await putOlderBack({ logs: 3 });

  const accepted = await runCli(['verify', '--accept-tip', '--json'], older.env);
  const again = await runCli(['verify', '--accept-tip', '--json'], older.env);

  assert.equal(accepted.code, 0, accepted.stdout);
  assert.equal(valueAt(accepted.json, 'new_epoch', 'epoch'), 4);
  assert.equal(valueAt(again.json, 'new_epoch'), undefined);
  await using hub = await older.restart();
  const list = parseEpochList((await hub.call('/log/epochs')).text);
  assert.deepEqual(
    list.map(({ epoch, note }) => [epoch, parseEpochStatement(note).common.size]),
    [
      [2, SIZE_KEPT],
      [3, SIZE_KEPT + LATER],
      [4, SIZE_KEPT],
    ],
  );
  const kept = await ask(stateArgs(hub, older.folder, 'kept'));
  assert.deepEqual([kept.code, valueAt(kept.json, 'lost', 'from')], [0, SIZE_KEPT]);
  // Of each log what the database still has.
  for (const log of [1, 2, 3]) {
    assert.equal((await hub.call(`/log/${log}/tile/0/000.p/${SIZE_KEPT}`)).status, 200);
    assert.equal((await hub.call(`/log/${log}/tile/0/000.p/${SIZE_KEPT + 1}`)).status, 404);
  }
});

test('without the statements beside the database a copy of what was served is needed, whatever the reason', async () => {
  await using older = await putOlderBack();
  const { env, folder, database } = older;
  await rm(statementsFile(database.dataDir));
  const started = await older.restart().then(
    async (hub) => (await hub.service.close(), 'started'),
    (error: unknown) => String(error),
  );
  const without = await beginLog(older);
  await cp(logKeyFile(database.dataDir), folder.file('new.key'));
  await rm(logKeyFile(database.dataDir));
  const withoutKey = await runCli(['log', 'new-epoch', '--reason', 'key_lost', '--json'], env);
  await cp(folder.file('new.key'), logKeyFile(database.dataDir));
  await using other = await putOlderBack();
  const foreign = await beginLog(older, '--epochs', other.folder.file('published'));
  const noList = await beginLog(older, '--epochs', folder.file('policy'));

  const begun = await beginLog(older, '--epochs', folder.file('published'));

  assert.match(started, /is signed by the key/);
  for (const [run, expected] of [
    [without, [1, 'statements_missing']],
    [withoutKey, [1, 'statements_missing']],
    [foreign, [1, 'statements_unusable']],
    [noList, [2, 'file_unreadable']],
  ] as const) {
    assert.deepEqual([run.code, valueAt(run.json, 'error', 'code')], expected, run.stdout);
  }
  assert.equal(begun.code, 0, begun.stdout);
  assert.equal(valueAt(begun.json, 'epoch'), 3);
  await using hub = await older.restart();
  assert.ok((await hub.call('/log/epochs')).text.startsWith(older.published));
  const beside = await readFile(statementsFile(database.dataDir), 'utf8');
  assert.equal(beside, (await hub.call('/log/epochs')).text);
});

test('an ended log is not signed again by its own key, which was put back with the database', async () => {
  await using older = await putOlderBack();
  const { folder, database } = older;
  await cp(folder.file('old-log.key'), logKeyFile(database.dataDir));
  await rm(logRecordFile(database.dataDir));

  await assert.rejects(older.restart(), /is of before the log lothub-[0-9a-f]{16}\/log\/2 began/);
});

test('a machine that was put back as a whole goes on as the ended log, which a monitor reports', async () => {
  await using older = await putOlderBack();
  const { folder, database } = older;
  for (const name of NEARBY_FILES)
    await cp(folder.file(`old-${name}`), join(database.dataDir, name));
  await rm(statementsFile(database.dataDir));
  await using hub = await older.restart();

  const monitored = await ask(monitorArgs(hub, folder));

  const codes = listReports(monitored).map((report) => valueAt(report, 'code'));
  assert.deepEqual([monitored.code, codes], [1, ['unknown_log']]);
});

test('a statement that was changed is none', async () => {
  await using older = await putOlderBack();
  const file = statementsFile(older.database.dataDir);
  await writeFile(
    file,
    older.published.replace(
      /^common .*$/m,
      'common 0 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    ),
  );

  const begun = await beginLog(older);

  assert.deepEqual([begun.code, valueAt(begun.json, 'error', 'code')], [1, 'statements_unusable']);
});
