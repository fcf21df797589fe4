// The attacks of docs/trust.md once more, with three witnesses on, each as `lothub witness` serves it: who
// notices that has kept nothing. The stranger has the keys of the log and of the witnesses, asks for two of three,
// and comes after the attack.
import assert from 'node:assert/strict';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { toCanonicalText, type JsonObject } from '@lothub/chain';
import { LOG_KEY_TYPE } from '@lothub/chain/log';
import { NoteKey } from '@lothub/note-key';
import { keptText, verifyEvidence } from '@lothub/verify';
import { aLine, anEvent, boot, valueAt, type Booted } from '../boot.ts';
import { runCli, testFolder } from '../cli/run.ts';
import { sqliteDatabase } from '../engine.ts';
import { openTampering } from '../tampering/ledger.ts';
import {
  TWO_OF_THREE,
  NAMES,
  until,
  untilCosigned,
  untilPublished,
} from '../witnessing/witnessed-hub.ts';
import { ATTACKS, coverUp, EVENTS, EVENTS_BEFORE, post } from './attacks.ts';
import type { Attack, Attacked } from './attacks.ts';
import { RealWitnesses } from './real-witnesses.ts';

const ORIGIN = 'trace.example.com/log/1';
const INTERVAL_MS = 50;
/** The witnesses know it before the hub begins. */
const LOG_KEY = new NoteKey({
  name: ORIGIN,
  type: LOG_KEY_TYPE,
  seed: new Uint8Array(32).fill(51),
});

/**
 * What the evidence of a lot comes to. `unconfirmed`: there is none while the log is held or differs from
 * what is stored, or it is refused with `no_quorum`.
 */
type Shown = 'witnessed' | 'unconfirmed' | 'bad_signature';

interface Noticed {
  /** What the hub reports of itself. */
  readonly hub: readonly string[];
  readonly logState: unknown;
  /** What the witnesses answered to the hub; empty when it did not sign anything for them to see. */
  readonly witnesses: readonly string[];
  /** Of what was recorded before the attack, and after it. */
  readonly stranger: { readonly before: Shown; readonly after: Shown };
}

interface Scene extends Attacked, AsyncDisposable {
  readonly witnesses: RealWitnesses;
  /** The stranger's own: from a contract, not from the hub of after the attack. */
  readonly policy: string;
}

async function open(
  dataDir: string,
  { witnesses: { policyFile } }: Pick<Scene, 'witnesses'>,
): Promise<Booted> {
  const env = { WITNESS_POLICY_FILE: policyFile, LOG_ORIGIN: ORIGIN };
  const database = sqliteDatabase(dataDir);
  return await boot({ database, env, witnessIntervalMs: INTERVAL_MS });
}

/** A hub whose witnesses have seen all of its blocks. */
async function begin(folder: {
  readonly path: string;
  file(name: string): string;
}): Promise<Scene> {
  const [dataDir, olderDir] = [folder.file('hub'), folder.file('older')];
  await mkdir(dataDir);
  await writeFile(join(dataDir, 'log.key'), LOG_KEY.line, { mode: 0o600 });
  await using opening = new AsyncDisposableStack();
  const witnesses = opening.use(
    await RealWitnesses.start({
      names: NAMES,
      quorum: TWO_OF_THREE,
      folder: folder.path,
      log: { origin: ORIGIN, vkey: LOG_KEY.vkey },
    }),
  );
  const early = await open(dataDir, { witnesses });
  for (let number = 0; number < EVENTS_BEFORE; number += 1) await post(early, number);
  await untilSeen(early, witnesses, EVENTS_BEFORE + 1);
  const { text: policy } = await early.call('/log/1/policy');
  await early.service.close();
  await cp(dataDir, olderDir, { recursive: true });
  const hub = await open(dataDir, { witnesses });
  for (let number = EVENTS_BEFORE; number < EVENTS; number += 1) await post(hub, number);
  await untilSeen(hub, witnesses, EVENTS + 1);
  assert.equal(await readShown(hub, 'LOT-3', policy), 'witnessed');
  assert.equal(await readShown(hub, `LOT-${EVENTS - 1}`, policy), 'witnessed');
  await hub.service.close();
  const opened = opening.move();
  const close = () => opened.disposeAsync();
  return { dataDir, olderDir, witnesses, policy, [Symbol.asyncDispose]: close };
}

async function untilSeen(hub: Booted, { all }: RealWitnesses, size: number): Promise<void> {
  await untilPublished(hub, size);
  await until('every witness', async () => {
    const sizes = await Promise.all(all.map((witness) => witness.size()));
    return sizes.every((seen) => seen === size);
  });
}

/** What verifying the evidence of a lot comes to, by somebody who has kept nothing. */
async function readShown(hub: Booted, lotCode: string, policy: string): Promise<Shown> {
  const { status, text: file } = await hub.call(`/public/verify/${lotCode}/evidence`);
  if (status !== 200) return 'unconfirmed';
  const { outcome } = await verifyEvidence({ file, policy });
  if (outcome.verdict === 'witnessed') return 'witnessed';
  const code = outcome.verdict === 'refused' ? outcome.code : outcome.verdict;
  if (code === 'bad_signature') return code;
  assert.equal(code, 'no_quorum');
  return 'unconfirmed';
}

/** What the witnesses answered last, each kind once. */
async function readAnswers({ database }: Booted): Promise<readonly string[]> {
  const rows = await database.rows('select distinct answer from log_witnesses');
  return rows.map((row) => String(row['answer'])).sort();
}

/** Starts the hub again, posts, and waits until it is held or every witness has answered. */
async function restart(
  scene: Scene,
  expected?: Pick<Noticed, 'hub' | 'logState'>,
): Promise<Noticed> {
  const { dataDir, witnesses, policy } = scene;
  for (const witness of witnesses.all) witness.asked = 0;
  await using hub = await open(dataDir, scene);
  const lines = [aLine({ lot_code: 'LOT-AFTER' })];
  const posted = await hub.post('/v1/events', anEvent({ reference: 'AFTER', lines }));
  assert.equal(posted.status, 201, posted.text);
  const wereAsked = (): boolean => witnesses.all.some(({ asked }) => asked > 0);
  const logState = async (): Promise<unknown> =>
    valueAt((await hub.call('/health')).json, 'log', 'state');
  await until('what comes of the attack', async () => {
    if ((await logState()) === 'held' && !wereAsked()) return true;
    return !(await readAnswers(hub)).includes('cosigned');
  });
  const alarms = async (): Promise<readonly string[]> => {
    const rows = await hub.database.rows(
      'select distinct code from chain_alarms where cleared_at is null order by code',
    );
    return rows.map((row) => String(row['code']));
  };
  if (expected !== undefined) {
    // What witnesses answer to a hub without records comes after what it finds by itself.
    await until('the alarms', async () => (await alarms()).length >= expected.hub.length);
    // An alarm of theirs holds the log with its next look.
    await until('the state of the log', async () => (await logState()) === expected.logState);
  }
  return {
    hub: await alarms(),
    logState: await logState(),
    witnesses: wereAsked() ? await readAnswers(hub) : [],
    stranger: {
      before: await readShown(hub, 'LOT-3', policy),
      after: await readShown(hub, 'LOT-AFTER', policy),
    },
  };
}

const HELD = { logState: 'held', witnesses: [] } as const;
const NOTHING = { before: 'unconfirmed', after: 'unconfirmed' } as const;
/** Blocks from before the older copy are as they were. */
const OLD_STANDS = { before: 'witnessed', after: 'unconfirmed' } as const;

/** As the table of docs/trust.md has it. */
const NOTICED: Readonly<Record<Attack, Noticed>> = {
  changed: { ...HELD, hub: ['log_forked'], stranger: NOTHING },
  // Without a record of what it signed, and of anything that it keeps of that, the hub asks the witnesses
  // before it signs anything.
  changedWithoutRecord: { ...HELD, hub: ['log_forked'], stranger: NOTHING },
  changedWithoutTrace: { ...HELD, hub: ['log_forked'], stranger: NOTHING },
  swapped: { ...HELD, hub: ['log_forked'], stranger: NOTHING },
  cut: { ...HELD, hub: ['log_rolled_back', 'tail_missing'], stranger: NOTHING },
  cutWithRecords: {
    ...HELD,
    hub: ['log_rolled_back', 'tip_record_missing', 'witness_ahead'],
    stranger: NOTHING,
  },
  putBack: {
    ...HELD,
    hub: ['log_rolled_back', 'tail_missing'],
    stranger: OLD_STANDS,
  },
  putBackWithFiles: {
    hub: ['witness_ahead'],
    logState: 'held',
    witnesses: ['ahead'],
    stranger: OLD_STANDS,
  },
};

/** The same, when everything on the hub's disks fits the attack: only the witnesses are left. */
const NOTICED_BY_WITNESSES: Readonly<Record<Attack, Pick<Noticed, 'witnesses' | 'stranger'>>> = {
  changed: { witnesses: ['refuses'], stranger: NOTHING },
  changedWithoutRecord: { witnesses: ['refuses'], stranger: NOTHING },
  changedWithoutTrace: { witnesses: ['refuses'], stranger: NOTHING },
  swapped: { witnesses: ['refuses'], stranger: NOTHING },
  // Checkpoints of the blocks that are left fit them.
  cut: { witnesses: ['ahead'], stranger: OLD_STANDS },
  cutWithRecords: { witnesses: ['ahead'], stranger: OLD_STANDS },
  putBack: { witnesses: ['ahead'], stranger: OLD_STANDS },
  putBackWithFiles: { witnesses: ['ahead'], stranger: OLD_STANDS },
};

for (const kind of Object.keys(ATTACKS) as Attack[]) {
  const { name, attack } = ATTACKS[kind];

  test(`${name}: whoever asks for the witnesses notices, without having kept anything`, async () => {
    await using folder = await testFolder();
    await using scene = await begin(folder);

    await attack(scene);
    const noticed = await restart(scene, NOTICED[kind]);

    assert.deepEqual(noticed, NOTICED[kind]);
  });

  test(`${name}, and covered up: the witnesses notice`, async () => {
    await using folder = await testFolder();
    await using scene = await begin(folder);

    await attack(scene);
    await coverUp(scene);
    const { witnesses, stranger } = await restart(scene);

    assert.deepEqual({ witnesses, stranger }, NOTICED_BY_WITNESSES[kind]);
  });
}

test('another key: the witnesses do not know it, and whoever has the true one refuses what it signed', async () => {
  await using folder = await testFolder();
  await using scene = await begin(folder);
  const foreign = folder.file('foreign');
  const other = await boot({ database: sqliteDatabase(foreign), env: { LOG_ORIGIN: ORIGIN } });
  const { text: vkeys } = await other.call('/log/1/vkeys');
  await other.service.close();
  await cp(join(foreign, 'log.key'), join(scene.dataDir, 'log.key'));
  {
    await using connection = openTampering(scene.dataDir);
    const change = connection.database.prepare('update log_epochs set vkeys = ?');
    change.run(vkeys.trim());
  }

  await coverUp(scene);

  const { witnesses, stranger } = await restart(scene);

  assert.deepEqual(witnesses, ['unknown_key']);
  assert.equal(stranger.after, 'bad_signature');
});

test('a fork that is shown to one client alone has no quorum', async () => {
  await using folder = await testFolder();
  await using scene = await begin(folder);
  await using shown = await open(scene.olderDir, scene);
  for (let number = 0; number <= EVENTS - EVENTS_BEFORE; number += 1) {
    await post(shown, 100 + number);
  }

  await until('no witness', async () => !(await readAnswers(shown)).includes('cosigned'));

  assert.equal(await readShown(shown, 'LOT-100', scene.policy), 'unconfirmed');
  await using real = await open(scene.dataDir, scene);
  await post(real, 200);
  await untilSeen(real, scene.witnesses, EVENTS + 2);
  assert.equal(await readShown(real, 'LOT-200', scene.policy), 'witnessed');
});

test('one witness that lies is not enough for two of three', async () => {
  await using folder = await testFolder();
  await using scene = await begin(folder);
  await ATTACKS.changed.attack(scene);
  await coverUp(scene);
  scene.witnesses.all[0]!.lie();

  await using hub = await open(scene.dataDir, scene);
  await post(hub, 100);
  await until('the liar', async () => (await readAnswers(hub)).join() === 'cosigned,refuses');

  assert.equal(await readShown(hub, 'LOT-100', scene.policy), 'unconfirmed');
});

test('collusion: two witnesses that lie with the operator are believed by whoever kept nothing', async () => {
  await using folder = await testFolder();
  await using scene = await begin(folder);
  const kept = (await scene.witnesses.all[0]!.checkpoint())!;
  await ATTACKS.changed.attack(scene);
  await coverUp(scene);
  for (const witness of scene.witnesses.all.slice(0, 2)) witness.lie();

  await using hub = await open(scene.dataDir, scene);
  await post(hub, 100);
  await untilPublished(hub, EVENTS + 2);

  assert.equal(await readShown(hub, 'LOT-100', scene.policy), 'witnessed');
  const { text: file } = await hub.call('/public/verify/LOT-3/evidence');
  assert.ok(file.includes('PO-9'));
  // Who has kept the checkpoint from before has the proof.
  const [policyFile, state] = [folder.file('policy'), folder.file('kept')];
  await writeFile(policyFile, scene.policy);
  await writeFile(state, keptText(new Map([[ORIGIN, kept]])));
  const args = ['verify', '--url', hub.base, '--policy', policyFile, '--state', state, '--json'];
  assert.equal(valueAt((await runCli(args, {})).json, 'code'), 'split_view');
});

test('omission: evidence that leaves an event out is believed; a monitor knows all events', async () => {
  await using folder = await testFolder();
  await using scene = await begin(folder);
  await using hub = await open(scene.dataDir, scene);
  await post(hub, 3);
  await untilCosigned(hub, { size: EVENTS + 2, by: NAMES.length });
  const { text } = await hub.call('/public/verify/LOT-3/evidence');
  const evidence = JSON.parse(text) as { readonly blocks: readonly JsonObject[] };

  const { sentence } = await verifyEvidence({
    file: toCanonicalText({ ...evidence, blocks: evidence.blocks.slice(0, -1) }),
    policy: scene.policy,
  });
  const policyFile = folder.file('policy');
  await writeFile(policyFile, scene.policy);
  const monitor = await runCli(
    ['monitor', hub.base, '--once', '--policy', policyFile, '--lot', 'LOT-3', '--json'],
    {},
  );

  assert.equal(evidence.blocks.length, 3);
  assert.match(sentence, /^proved, witnessed 3 of 3 at /);
  assert.equal(monitor.code, 0);
  assert.equal(monitor.stdout.split('\n').filter((line) => line.includes('"event"')).length, 2);
});
