// A witness of a thousand logs, each of which asks once in ten seconds with a tree that has grown: the
// processor time of its process, and how long the logs wait.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  HASH_BYTES,
  LOG_KEY_TYPE,
  checkpointBody,
  logSignatureLine,
  noteText,
  toBase64,
  utf8,
} from '@lothub/chain/log';
import { NaiveTree, sha256Bytes } from '@lothub/chain/test/log/naive-tree';
import { present } from '@lothub/kit/present';
import { NoteKey } from '@lothub/note-key';
import { startChild } from '../kit/child.ts';
import type { Figures } from '../kit/figures.ts';
import { ProcessorWatch, processorFigures } from '../kit/processor-time.ts';
import { startSteadyLoad, type SteadyLoad, type SteadyRequest } from '../kit/steady-load.ts';

const LOGS = 1_000;
const EVERY_SECONDS = 10;
/** A minute of the load that is promised about. */
const ROUNDS = 6;
/** Blocks of each log at its first checkpoint, and what it grows by in a round. */
const FIRST_SIZE = 16_000;
const GROWTH = 50;
/**
 * Before what is measured: every log shows its first checkpoint, and grows so often that the code is
 * compiled as that of a witness at work, which answers as many requests in two minutes.
 */
const WARM_UP_ROUNDS = 12;
const WARM_UP_PER_SECOND = 500;
const CORES_MAX = 0.1;
const SIGNATURES = 2_000;
const SECOND_MS = 1_000;
/** By which the last requests may be late. */
const SLACK_MS = 1_000;
const KIND = 'add-checkpoint';
/** Requests a day of a log that asks every ten seconds. */
const QPD = 8_640;

export async function benchWitnessServer(options: {
  readonly dir: string;
  readonly figures: Figures;
}): Promise<void> {
  const { dir, figures } = options;
  await mkdir(dir, { recursive: true });
  const keys = Array.from(
    { length: LOGS },
    (_, n) =>
      new NoteKey({
        name: `log-${n}.example.com/log/1`,
        type: LOG_KEY_TYPE,
        seed: sha256Bytes(utf8(`key ${n}`)),
      }),
  );
  const listFile = join(dir, 'logs.txt');
  const entries = keys.map(({ vkey }) => `vkey ${vkey}\nqpd ${QPD}\ncontact bench\n`);
  await writeFile(listFile, `logs/v0\n\n${entries.join('\n')}`);
  const requests = buildRequests(keys);
  await using service = await startChild({
    module: new URL('./witness-service.ts', import.meta.url),
    healthPath: '/health',
    env: { DATA_DIR: join(dir, 'data'), WITNESS_LOGS: listFile, LOG_LEVEL: 'error' },
  });
  const warmUp = (1 + WARM_UP_ROUNDS) * LOGS;
  await send(service.address, requests.slice(0, warmUp), WARM_UP_PER_SECOND);
  const watch = new ProcessorWatch([
    {
      name: 'witness',
      pids: () => (service.process.pid === undefined ? [] : [service.process.pid]),
    },
  ]);
  watch.start();
  const waits = await send(service.address, requests.slice(warmUp), LOGS / EVERY_SECONDS);
  const used = watch.stop();
  const what = `${LOGS} logs, each every ${EVERY_SECONDS} s`;
  for (const figure of processorFigures(what, [used])) {
    const isPromised = figure.name.endsWith(': witness');
    const target = { kind: 'at_most', value: CORES_MAX } as const;
    figures.add(isPromised ? { ...figure, target } : figure);
  }
  figures.add({
    name: 'as many signatures verified and made, alone',
    value: (signatureMs(present(keys[0], 'a key')) * LOGS) / (EVERY_SECONDS * SECOND_MS),
    unit: 'cores',
  });
  const latencies = waits.get(KIND);
  if (latencies !== undefined) figures.addLatencies(`cosignature, ${what}`, latencies);
}

async function send(
  url: string,
  requests: readonly SteadyRequest[],
  perSecond: number,
): ReturnType<SteadyLoad['stop']> {
  const load = await startSteadyLoad({ url, headers: {}, perSecond, requests });
  // All of them are sent by then; stopping waits for the last answers.
  await setTimeout((requests.length / perSecond) * SECOND_MS + SLACK_MS);
  return await load.stop();
}

/** Processor time of verifying one signature and making one, ms: what no witness does without. */
function signatureMs(key: NoteKey): number {
  const text = checkpointBody({ origin: key.name, size: 1, root: new Uint8Array(HASH_BYTES) });
  const before = process.cpuUsage();
  for (let count = 0; count < SIGNATURES; count += 1) key.verifies(text, key.sign(text));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / SIGNATURES;
}

/** The first checkpoint of every log, and then its growth, round by round. */
function buildRequests(keys: readonly NoteKey[]): readonly SteadyRequest[] {
  const rounds = WARM_UP_ROUNDS + ROUNDS;
  const size = FIRST_SIZE + rounds * GROWTH;
  const tree = new NaiveTree(
    Array.from({ length: size }, (_, index) => sha256Bytes(utf8(`leaf ${index}`))),
  );
  return Array.from({ length: rounds + 1 }, (_, round) => {
    const to = FIRST_SIZE + round * GROWTH;
    const from = round === 0 ? 0 : to - GROWTH;
    const proof = tree.consistency(from, to).map((hash) => `${toBase64(hash)}\n`);
    const root = tree.rootAt(to);
    return keys.map((key): SteadyRequest => ({
      kind: KIND,
      method: 'POST',
      path: '/witness/add-checkpoint',
      body: `old ${from}\n${proof.join('')}\n${signed(key, { size: to, root })}`,
    }));
  }).flat();
}

function signed(key: NoteKey, head: { readonly size: number; readonly root: Uint8Array }): string {
  const { name: origin, publicKey } = key;
  const body = checkpointBody({ origin, ...head });
  return noteText(body, [logSignatureLine({ origin, publicKey, signature: key.sign(body) })]);
}
