// A log that cannot continue, and the one behind it: what the operator's command does, what is served of both,
// and what becomes of what somebody kept of the first one.
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  judgeCheckpoint,
  judgeEpochStatement,
  parseCheckpoint,
  parseEpochList,
  parseEpochStatement,
  parsePolicy,
  parseTlogProof,
  parseVkey,
} from '@lothub/chain/log';
import { verifySignature } from '@lothub/chain/test/log/test-keys';
import { testAboveEngines } from '@lothub/kit/test/above-engines';
import { logKeyFile } from '../../src/ledger/log/log-key.ts';
import { aLine, anEvent, boot, valueAt, type Booted } from '../boot.ts';
import { runCli, testFolder, type CliRun } from '../cli/run.ts';
import { makeCopy } from './older-copy.ts';
import { ask, readLine, monitorArgs, post, listReports, stateArgs } from './readers.ts';

const MONITOR = fileURLToPath(new URL('../../../../examples/monitor.py', import.meta.url));
const HAS_PYTHON = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
const KEPT = 4;
const LOST = 3;

/** What examples/monitor.py reports; nothing where it cannot run. */
async function askPython(
  hub: Booted,
  folder: { file(name: string): string },
): Promise<{ readonly code: number; readonly stdout: string }> {
  if (!HAS_PYTHON) return { code: 0, stdout: '' };
  const options = ['--policy', folder.file('policy'), '--state', folder.file('python')];
  const args = [MONITOR, hub.base, ...options, '--once', '--lot', 'LOT-NEW'];
  return await new Promise((resolve) => {
    execFile('python3', args, (error, stdout) =>
      resolve({ code: Number(error?.code ?? 0), stdout }),
    );
  });
}

/** What a producer keeps of a post. */
interface Proof {
  readonly text: string;
  readonly blockHash: string;
}

function readProof(answer: unknown): Proof {
  return {
    text: String(valueAt(answer, 'log', 'proof')),
    blockHash: String(valueAt(answer, 'chain', 'block_hash')),
  };
}

/** A hub whose blocks behind the first few were lost, as by a standby that was behind and took over. */
async function loseBlocks() {
  const folder = await testFolder();
  const early = await boot();
  const { database } = early;
  for (let number = 0; number < KEPT; number += 1) await post(early, number);
  await early.service.close();
  const older = await makeCopy(database);
  const hub = await boot({ database });
  const oldVkey = await readLine(hub, '/log/1/vkeys');
  await writeFile(folder.file('policy'), `log ${oldVkey}\nquorum none\n`);
  await ask(stateArgs(hub, folder, 'kept-before'));
  const proofs: Proof[] = [];
  for (let number = KEPT; number < KEPT + LOST; number += 1) {
    proofs.push(readProof(await post(hub, number)));
  }
  assert.equal((await ask(stateArgs(hub, folder, 'kept'))).code, 0);
  assert.equal((await ask(monitorArgs(hub, folder))).code, 0);
  assert.equal((await askPython(hub, folder)).code, 0);
  const before = {
    text: (await hub.call(`/log/1/proof/${KEPT}`)).text,
    blockHash: String((await hub.call(`/public/explorer/block/${KEPT}`)).json['block_hash']),
  };
  await hub.service.close();
  const env = await older.putBack();
  return {
    folder,
    database,
    env,
    oldVkey,
    /** The proof for a block that still exists, and for the first one that is lost. */
    proofs: { before, lost: proofs[0]! },
    restart: () => boot({ database, env }),
    [Symbol.asyncDispose]: async () => {
      await older[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

const SIZE_KEPT = KEPT + 1;
const SIZE_LAST = SIZE_KEPT + LOST;

for (const reason of ['restore', 'failover'] as const) {
  test(`a hub that lost signed blocks is held until new-epoch --reason ${reason}, and old proofs are judged as the statement says`, async () => {
    await using lost = await loseBlocks();
    const { folder, env, oldVkey } = lost;
    const held = await lost.restart();
    const heldAnswer = await post(held, 100);
    await held.service.close();
    const shown = await runCli(['log', '--json'], env);

    const begun = await runCli(['log', 'new-epoch', '--reason', reason, '--json'], env);

    assert.equal(valueAt(heldAnswer, 'log_state'), 'held');
    assert.equal(shown.code, 1, shown.stdout);
    assert.equal(begun.code, 0, begun.stdout);
    await using hub = await lost.restart();
    const list = parseEpochList((await hub.call('/log/epochs')).text);
    const statement = parseEpochStatement(list[0]!.note);
    const oldKeys = [parseVkey(oldVkey)];
    const believed = await judgeEpochStatement(statement, { oldKeys, verify: verifySignature });
    assert.equal(believed, undefined);
    assert.deepEqual(
      [list[0]?.epoch, statement.last.size, statement.common.size, statement.reason],
      [2, SIZE_LAST, SIZE_KEPT, reason],
    );
    assert.equal(valueAt(begun.json, 'statement'), list[0]?.note);

    const newVkey = await readLine(hub, '/log/2/vkeys');
    const head = parseCheckpoint((await hub.call('/log/2/checkpoint')).text);
    const verdict = await judgeCheckpoint(head, {
      policy: parsePolicy(`log ${newVkey}\nquorum none\n`),
      verify: verifySignature,
    });
    assert.equal(verdict.refused, undefined);
    assert.equal(newVkey, statement.vkey);
    assert.equal(head.size, SIZE_KEPT + 1);
    const posted = await post(hub, 101);
    assert.equal(valueAt(posted, 'log', 'origin'), head.origin);

    await assertOldIsServed(hub, oldVkey);
    const kept = await ask(stateArgs(hub, folder, 'kept'));
    const keptBefore = await ask(stateArgs(hub, folder, 'kept-before'));
    assert.equal(kept.code, 0, kept.stdout);
    assert.deepEqual(valueAt(kept.json, 'lost'), {
      origin: statement.old,
      from: SIZE_KEPT,
      below: SIZE_LAST,
    });
    assert.equal(keptBefore.code, 0, keptBefore.stdout);
    assert.equal(valueAt(keptBefore.json, 'lost'), undefined);
    const proven = await judgeProof(lost, hub, lost.proofs.before);
    const gone = await judgeProof(lost, hub, lost.proofs.lost);
    assert.deepEqual(
      [valueAt(proven.json, 'lost'), valueAt(gone.json, 'lost', 'from'), gone.code],
      [undefined, SIZE_KEPT, 0],
    );
  });
}

async function judgeProof(
  { folder }: { readonly folder: { file(name: string): string } },
  hub: Booted,
  { text, blockHash }: Proof,
): Promise<CliRun> {
  const file = folder.file('proof.tlog-proof');
  await writeFile(file, text);
  const policy = folder.file('policy');
  return await ask([
    'verify',
    '--evidence',
    file,
    '--policy',
    policy,
    '--url',
    hub.base,
    '--block-hash',
    blockHash,
  ]);
}

/** All that both logs share, and the last checkpoint of the old one. */
async function assertOldIsServed(hub: Booted, oldVkey: string): Promise<void> {
  const policy = parsePolicy(`log ${oldVkey}\nquorum none\n`);
  const last = parseCheckpoint((await hub.call('/log/1/checkpoint')).text);
  const verdict = await judgeCheckpoint(last, { policy, verify: verifySignature });
  assert.equal(verdict.refused, undefined);
  assert.equal(last.size, SIZE_LAST);
  const statuses = [];
  for (const path of [
    `tile/0/000.p/${SIZE_KEPT}`,
    `tile/entries/000.p/${SIZE_KEPT}`,
    `blocks/000.p/${SIZE_KEPT}`,
    `proof/${SIZE_KEPT - 1}`,
    'policy',
    `tile/0/000.p/${SIZE_KEPT + 1}`,
    `proof/${SIZE_KEPT}`,
  ]) {
    statuses.push((await hub.call(`/log/1/${path}`)).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 404, 404]);
  const proof = parseTlogProof((await hub.call(`/log/1/proof/${SIZE_KEPT - 1}`)).text);
  assert.equal(proof.head.size, SIZE_KEPT);
  const judged = await judgeCheckpoint(proof.head, { policy, verify: verifySignature });
  assert.equal(judged.refused, undefined);
  assert.equal((await hub.call('/log/3/checkpoint')).status, 404);
}

testAboveEngines(
  'verify --accept-tip begins a log behind one that lost blocks, and a monitor reports what is lost',
  async () => {
    await using lost = await loseBlocks();
    const { env, folder } = lost;
    const held = await lost.restart();
    await post(held, 100);
    await held.service.close();

    const accepted = await runCli(['verify', '--accept-tip', '--json'], env);
    const again = await runCli(['verify', '--accept-tip', '--json'], env);

    assert.equal(accepted.code, 0, accepted.stdout);
    assert.equal(valueAt(accepted.json, 'new_epoch', 'epoch'), 2);
    assert.equal(again.code, 0, again.stdout);
    assert.equal(valueAt(again.json, 'new_epoch'), undefined);
    await using hub = await lost.restart();
    const event = anEvent({ lines: [aLine({ lot_code: 'LOT-NEW' })] });
    assert.equal((await hub.post('/v1/events', event)).status, 201);
    const inPython = await askPython(hub, folder);
    const nextInPython = await askPython(hub, folder);
    const followed = await ask(monitorArgs(hub, folder));
    const next = await ask(monitorArgs(hub, folder));
    const reports = listReports(followed);
    assert.equal(followed.code, 1);
    assert.deepEqual(
      reports.map((report) => [valueAt(report, 'type'), valueAt(report, 'code')]),
      [
        ['epoch', undefined],
        ['finding', 'entries_lost'],
        ['event', undefined],
        ['pass', undefined],
      ],
    );
    assert.equal(valueAt(reports.at(-1), 'blocks'), 2);
    assert.equal(next.code, 0, next.stdout);
    if (!HAS_PYTHON) return;
    assert.deepEqual([inPython.code, nextInPython.code], [1, 0], inPython.stdout);
    assert.match(
      inPython.stdout,
      /^\{"kind": "epoch".*\n\{"kind": "lost", .*"first": 5, "below": 8\}\n.*LOT-NEW.*\n\{"kind": "checked", "size": 7, "new": 2\}\n$/,
    );
  },
);

test('examples/monitor.py follows logs only where python3 and cryptography are there', (t) => {
  t.diagnostic(`python3 with cryptography: ${HAS_PYTHON}`);
});

test('a log whose key is lost goes on by a statement of the new key alone, which a reader has to pin', async () => {
  await using folder = await testFolder();
  await using hub = await boot();
  const { env } = hub.database;
  await post(hub, 1);
  const oldVkey = await readLine(hub, '/log/1/vkeys');
  await writeFile(folder.file('policy'), `log ${oldVkey}\nquorum none\n`);
  assert.equal((await ask(stateArgs(hub, folder, 'kept'))).code, 0);
  await hub.service.close();
  const tooEarly = await runCli(['log', 'new-epoch', '--reason', 'key_lost', '--json'], env);
  await rm(logKeyFile(hub.dataDir));
  const without = await runCli(['log', 'new-epoch', '--reason', 'restore', '--json'], env);

  const begun = await runCli(['log', 'new-epoch', '--reason', 'key_lost', '--json'], env);

  assert.deepEqual(
    [tooEarly.code, valueAt(tooEarly.json, 'error', 'code')],
    [1, 'log_key_present'],
  );
  assert.deepEqual([without.code, valueAt(without.json, 'error', 'code')], [1, 'log_key_missing']);
  assert.equal(begun.code, 0, begun.stdout);
  const note = String(valueAt(begun.json, 'statement'));
  assert.equal(parseEpochStatement(note).oldSignature, undefined);
  await using again = await boot({ database: hub.database });
  const unpinned = await ask(stateArgs(again, folder, 'kept'));
  assert.deepEqual([unpinned.code, valueAt(unpinned.json, 'code')], [1, 'unknown_log']);
  const newVkey = await readLine(again, '/log/2/vkeys');
  await writeFile(folder.file('policy'), `log ${oldVkey}\nlog ${newVkey}\nquorum none\n`);
  const pinned = await ask(stateArgs(again, folder, 'kept'));
  assert.equal(pinned.code, 0, pinned.stdout);
  assert.equal((await again.call('/log/1/checkpoint')).status, 503);
});

for (const [reason, args, origin] of [
  ['key_stolen', [], /^lothub-[0-9a-f]{16}\/log\/2$/],
  ['renamed', ['--origin', 'trace.example.com'], /^trace\.example\.com\/log\/2$/],
] as const) {
  testAboveEngines(
    `${reason}: the whole chain is common, and an evidence file carries the statement`,
    async () => {
      await using folder = await testFolder();
      await using hub = await boot();
      const { env } = hub.database;
      await post(hub, 1);
      await writeFile(
        folder.file('policy'),
        `log ${await readLine(hub, '/log/1/vkeys')}\nquorum none\n`,
      );
      await hub.service.close();

      const begun = await runCli(['log', 'new-epoch', '--reason', reason, ...args, '--json'], env);

      assert.equal(begun.code, 0, begun.stdout);
      const statement = parseEpochStatement(String(valueAt(begun.json, 'statement')));
      assert.match(statement.new, origin);
      assert.deepEqual([statement.last.size, statement.common.size], [2, 2]);
      await using again = await boot({ database: hub.database });
      const evidence = (await again.call('/public/verify/LOT-1/evidence')).text;
      await writeFile(folder.file('evidence'), evidence);
      // The reader believes in the key of the old log alone.
      const args_ = ['verify', '--evidence', folder.file('evidence')];
      const judged = await ask([...args_, '--policy', folder.file('policy')]);
      assert.equal(judged.code, 0, judged.stdout);
      assert.equal(valueAt(JSON.parse(evidence), 'origin'), statement.new);
      const health = await again.call('/health');
      assert.equal(valueAt(health.json, 'log', 'origin'), statement.new);
    },
  );
}

testAboveEngines('a name that is none, or the one the log has, begins no other log', async () => {
  await using hub = await boot();
  const { env } = hub.database;
  await hub.service.close();
  const tried = [];

  for (const args of [
    ['--reason', 'renamed'],
    ['--reason', 'renamed', '--origin', 'a b'],
    ['--reason', 'restore', '--origin', 'trace.example.com'],
    ['--reason', 'because'],
    [],
  ]) {
    const run = await runCli(['log', 'new-epoch', ...args, '--json'], env);
    tried.push([run.code, valueAt(run.json, 'error', 'code')]);
  }

  assert.deepEqual(tried, [
    [1, 'log_origin_unusable'],
    [2, 'usage_wrong'],
    [2, 'usage_wrong'],
    [2, 'usage_wrong'],
    [2, 'usage_wrong'],
  ]);
  await using again = await boot({ database: hub.database });
  assert.equal((await again.call('/log/epochs')).text, '');
  assert.equal((await again.call('/log/1/checkpoint')).status, 200);
});
