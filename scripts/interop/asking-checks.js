// What is checked of a hub that asks three witnesses, litewitness, omniwitness and ours, for two of three:
// its proofs satisfy that policy by the judgement of torchwood, a machine without its record learns from them
// what it signed, and none of them cosigns a log that was cut back or a fork.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { NaiveTree } from '@lothub/chain/test/log/naive-tree';
import { NoteKey } from '@lothub/note-key';

import { requestBody } from '../../packages/witness/test/test-log.ts';
import { verifyProof } from './checks.js';
import { startHub } from './hub.js';
import { startLitewitness, startOmniwitness, startOwnWitness } from './witnesses.js';

const WAIT_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** Under no domain of the witnesses: one of the hub's own would count as none. */
const ORIGIN = 'hub.interop.invalid/log/1';
const LOG_KEY_TYPE = 0x01;
const SEED = new Uint8Array(32).fill(13);
/** A bundle of entries holds the length of each in two bytes, and 32 bytes of hash. */
const ENTRY_BYTES = 34;
const LENGTH_BYTES = 2;

const NAMES = ['lite', 'omni', 'own'];
/** Of each: another tree was cosigned last; the proof is none. */
const CONFLICT = 409;
const NO_PROOF = 422;

const PROGRAMS = { program: 'omniwitness', also: 'litewitness' };

/** @type {readonly import('./checks.js').Check[]} */
export const ASKING_CHECKS = [
  {
    ...PROGRAMS,
    name: 'a hub asks litewitness, omniwitness and our witness, torchwood judges',
    proves: 'proof/<index> satisfies a policy of all three, and without a line one of two of three',
    expected: 'take',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'asking'), async ({ hub, witnesses, buildPolicy }) => {
        const posted = await hub.post('witnessed');
        const isSigned = (note) => listLines(note).length === 1 + NAMES.length;
        await untilPublished(hub, { above: posted.log.index, isSigned });
        const proof = await hub.read(`proof/${posted.log.index}`);
        const verify = async (text, policy) =>
          await verifyProof(text, posted.chain.block_hash, { policy, folder });
        for (const name of NAMES) {
          const without = removeLine(witnesses[name], proof);
          const judged = await verify(without, buildPolicy(NAMES.length - 1));
          if (judged.verdict !== 'take') return judged;
        }
        return await verify(proof, buildPolicy(NAMES.length));
      }),
  },
  {
    ...PROGRAMS,
    name: 'one of the three witnesses is down, torchwood judges',
    proves: 'proof/<index> satisfies a policy of two of three',
    expected: 'take',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'two-up'), async ({ hub, witnesses, buildPolicy }) => {
        await witnesses.omni.stop();
        const posted = await hub.post('witnessed');
        await untilPublished(hub, { above: posted.log.index });
        return await judge(hub, posted, { policy: buildPolicy(2), folder });
      }),
  },
  {
    ...PROGRAMS,
    name: 'two of the three witnesses are down, torchwood judges',
    proves: 'with the cosignature of one alone nothing satisfies a policy of two of three',
    expected: 'refuse',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'one-up'), async ({ hub, witnesses, buildPolicy }) => {
        await untilPublished(hub, { above: 0 });
        const before = await readSize(hub, 'checkpoint');
        await witnesses.lite.stop();
        await witnesses.omni.stop();
        const posted = await hub.post('unwitnessed');
        // The one that is up has cosigned it: nothing is refused because it was not asked yet.
        await until(async () => (await sizeSeenBy(hub, 'own')) > posted.log.index);
        const published = await readSize(hub, 'checkpoint');
        if (published !== before) return { verdict: 'take', output: `published ${published}` };
        const by = { policy: buildPolicy(2), folder };
        const inAnswer = await verifyProof(posted.log.proof, posted.chain.block_hash, by);
        return inAnswer.verdict === 'refuse' ? await judge(hub, posted, by) : inAnswer;
      }),
  },
  {
    ...PROGRAMS,
    name: 'a log that was cut back, shown to the three witnesses',
    proves: `each answers ${CONFLICT} with the size that it has cosigned`,
    expected: 'refuse',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'shorter'), async ({ hub, witnesses }) => {
        const cut = await hub.read('checkpoint/latest');
        const posted = await hub.post('cut');
        await untilSeenByAll(hub, posted.log.size);
        const expected = { status: CONFLICT, text: `${posted.log.size}\n` };
        return await refusedByAll(witnesses, requestBody(sizeIn(cut), [], cut), expected);
      }),
  },
  {
    ...PROGRAMS,
    name: 'a fork, shown to the three witnesses',
    proves: `each answers ${NO_PROOF} to its growth`,
    expected: 'refuse',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'forked'), async ({ hub, witnesses, dataDir, restart }) => {
        await hub.stop();
        const forkDir = `${dataDir}-fork`;
        cpSync(dataDir, forkDir, { recursive: true });
        const real = await restart();
        const { log } = await real.post('real');
        await untilSeenByAll(real, log.size);
        const fork = await startHub(forkDir, { LOG_ORIGIN: ORIGIN });
        try {
          await fork.postBatch(2, 'forked');
          const note = await fork.read('checkpoint/latest');
          const tree = await readTree(fork, sizeIn(note));
          // It proves growth inside of the fork: the witnesses refuse what came before it.
          assert.equal(tree.rootAt(tree.size).toString('base64'), note.split('\n')[2]);
          const proof = tree.consistency(log.size, tree.size);
          const body = requestBody(log.size, proof, note);
          return await refusedByAll(witnesses, body, { status: NO_PROOF });
        } finally {
          await fork.stop();
        }
      }),
  },
  {
    ...PROGRAMS,
    name: 'a hub without its record asks the three witnesses',
    proves: 'it signs on when they have seen nothing larger',
    expected: 'take',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'record'), async (asking) => {
        const posted = await asking.hub.post('recorded');
        await untilPublished(asking.hub, { above: posted.log.index });
        await asking.hub.stop();
        rmSync(join(asking.dataDir, 'log.json'));
        const state = await settledState(await asking.restart());
        return { verdict: state === 'signing' ? 'take' : 'refuse', output: state };
      }),
  },
  {
    ...PROGRAMS,
    name: 'a hub that was cut back asks the three witnesses',
    proves: 'they have seen more, and the hub holds its log',
    expected: 'refuse',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'cut'), async (asking) => {
        const { dataDir } = asking;
        await untilPublished(asking.hub, { above: 0 });
        await asking.hub.stop();
        cpSync(dataDir, `${dataDir}-before`, { recursive: true });
        const later = await asking.restart();
        const posted = await later.post('lost');
        await untilPublished(later, { above: posted.log.index });
        await later.stop();
        rmSync(dataDir, { recursive: true });
        cpSync(`${dataDir}-before`, dataDir, { recursive: true });
        rmSync(join(dataDir, 'log.json'));
        const state = await settledState(await asking.restart());
        return { verdict: state === 'held' ? 'refuse' : 'take', output: state };
      }),
  },
];

/** A hub that asks for two of three witnesses, which know its key. */
async function withWitnesses(folder, run) {
  const dataDir = join(folder, 'hub');
  mkdirSync(dataDir, { recursive: true });
  const key = new NoteKey({ name: ORIGIN, type: LOG_KEY_TYPE, seed: SEED });
  writeFileSync(join(dataDir, 'log.key'), key.line, { mode: 0o600 });
  const log = { origin: ORIGIN, vkey: key.vkey };
  const [lite, omni, own] = await Promise.all([
    startLitewitness(join(folder, 'litewitness'), log),
    startOmniwitness(join(folder, 'omniwitness'), log),
    startOwnWitness(join(folder, 'own'), [log.vkey]),
  ]);
  const witnesses = { lite, omni, own };
  const linesFor = (count) => [
    ...NAMES.map((name) => `witness ${name} ${witnesses[name].vkey} ${witnesses[name].prefix}`),
    `group some ${count} ${NAMES.join(' ')}`,
    'quorum some',
  ];
  const policyFile = join(folder, 'policy.txt');
  writeFileSync(policyFile, `${linesFor(2).join('\n')}\n`);
  const started = [];
  const restart = async () => {
    const hub = await startHub(dataDir, {
      LOG_ORIGIN: ORIGIN,
      WITNESS_POLICY_FILE: policyFile,
    });
    started.push(hub);
    return hub;
  };
  const buildPolicy = (count) => [`log ${log.vkey}`, ...linesFor(count), ''].join('\n');
  try {
    return await run({ hub: await restart(), restart, dataDir, witnesses, buildPolicy });
  } finally {
    for (const hub of started) await hub.stop();
    for (const name of NAMES) await witnesses[name].stop();
  }
}

/** What torchwood says of the proof that the hub gives of a posted event now. */
async function judge(hub, posted, by) {
  const proof = await hub.read(`proof/${posted.log.index}`);
  return await verifyProof(proof, posted.chain.block_hash, by);
}

/** Sends one request to each witness; refused when each answers so. */
async function refusedByAll(witnesses, body, expected) {
  const answers = await Promise.all(
    NAMES.map(async (name) => {
      const url = `${witnesses[name].prefix}/add-checkpoint`;
      const answer = await fetch(url, { method: 'POST', body });
      return { name, status: answer.status, text: await answer.text() };
    }),
  );
  const different = answers.filter(({ status, text }) => {
    return status !== expected.status || (expected.text ?? text) !== text;
  });
  const output = different.map(({ name, status, text }) => `${name}: ${status} ${text}`).join('\n');
  return { verdict: different.length === 0 ? 'refuse' : 'take', output };
}

/** The tree over the entries that a hub serves. */
async function readTree({ prefix }, size) {
  const answer = await fetch(`${prefix}tile/entries/000.p/${size}`);
  if (!answer.ok) throw new Error(`the hub answered ${answer.status} to its entries`);
  const bundle = new Uint8Array(await answer.arrayBuffer());
  const entries = Array.from({ length: size }, (_, index) =>
    bundle.subarray(index * ENTRY_BYTES + LENGTH_BYTES, (index + 1) * ENTRY_BYTES),
  );
  return NaiveTree.ofEntries(entries);
}

function sizeIn(note) {
  return Number(note.split('\n')[1]);
}

function removeLine({ vkey }, note) {
  const [name] = vkey.split('+');
  const kept = note.split('\n').filter((line) => !line.startsWith(`\u2014 ${name} `));
  return kept.join('\n');
}

function listLines(note) {
  return note.split('\n').filter((line) => line.startsWith('\u2014 '));
}

/** Blocks under a checkpoint; 0 while there is none. */
async function readSize(hub, path) {
  const answer = await fetch(hub.prefix + path);
  const text = await answer.text();
  return answer.status === 200 ? sizeIn(text) : 0;
}

/** Waits for a published checkpoint of a tree with this index. */
async function untilPublished(hub, { above, isSigned = () => true }) {
  await until(async () => {
    const answer = await fetch(`${hub.prefix}checkpoint`);
    const text = await answer.text();
    return answer.status === 200 && sizeIn(text) > above && isSigned(text);
  });
}

/** The size that a witness of the hub has cosigned, as the hub reports it. */
async function sizeSeenBy(hub, name) {
  const { log } = await (await fetch(`${hub.base}/health`)).json();
  return log.witnesses.find((witness) => witness.name === name).size;
}

async function untilSeenByAll(hub, size) {
  await until(async () => {
    const sizes = await Promise.all(NAMES.map((name) => sizeSeenBy(hub, name)));
    return sizes.every((seen) => seen === size);
  });
}

/** Of the log, once it has decided. */
async function settledState(hub) {
  let state = 'building';
  await until(async () => {
    const health = await (await fetch(`${hub.base}/health`)).json();
    ({ state } = health.log);
    return state !== 'building';
  });
  return state;
}

async function until(isSo) {
  const deadlineMs = performance.now() + WAIT_MS;
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error('the hub and its witnesses do not agree');
    await sleep(LOOK_EVERY_MS);
  }
}
