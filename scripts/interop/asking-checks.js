// What is checked of a hub that asks witnesses, litewitness and ours: its proofs satisfy a policy of both by
// the judgement of torchwood, a machine without its record learns from them what it signed, and a chain that
// was cut back is held by them.

import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { verifyProof } from './checks.js';
import { startHub } from './hub.js';
import { startLitewitness, startOwnWitness } from './witnesses.js';

const WAIT_MS = 60_000;
const LOOK_EVERY_MS = 200;

/** @type {readonly import('./checks.js').Check[]} */
export const ASKING_CHECKS = [
  {
    program: 'litewitness',
    name: 'a hub asks litewitness and our witness, torchwood judges',
    proves: 'proof/<index> satisfies a policy that takes the cosignatures of both',
    expected: 'take',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'asking'), async ({ hub, vkey, lines }) => {
        const posted = await hub.post('witnessed');
        await until(async () => (await publishedSize(hub)) > posted.log.index);
        const proof = await hub.read(`proof/${posted.log.index}`);
        const policy = [`log ${vkey}`, ...lines, ''].join('\n');
        return await verifyProof(proof, posted.chain.block_hash, { policy, folder });
      }),
  },
  {
    program: 'litewitness',
    name: 'a hub without its record asks litewitness and our witness',
    proves: 'it signs on when they have seen nothing larger',
    expected: 'take',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'record'), async (asking) => {
        const posted = await asking.hub.post('recorded');
        await until(async () => (await publishedSize(asking.hub)) > posted.log.index);
        await asking.hub.stop();
        rmSync(join(asking.dataDir, 'log.json'));
        const hub = await asking.restart();
        const state = await settledState(hub);
        return { verdict: state === 'signing' ? 'take' : 'refuse', output: state };
      }),
  },
  {
    program: 'litewitness',
    name: 'a hub that was cut back asks litewitness and our witness',
    proves: 'they have seen more, and the hub holds its log',
    expected: 'refuse',
    run: async ({ folder }) =>
      await withWitnesses(join(folder, 'cut'), async (asking) => {
        const { dataDir } = asking;
        await until(async () => (await publishedSize(asking.hub)) > 0);
        await asking.hub.stop();
        cpSync(dataDir, `${dataDir}-before`, { recursive: true });
        const later = await asking.restart();
        const posted = await later.post('lost');
        await until(async () => (await publishedSize(later)) > posted.log.index);
        await later.stop();
        rmSync(dataDir, { recursive: true });
        cpSync(`${dataDir}-before`, dataDir, { recursive: true });
        rmSync(join(dataDir, 'log.json'));
        const state = await settledState(await asking.restart());
        return { verdict: state === 'held' ? 'refuse' : 'take', output: state };
      }),
  },
];

/** A hub whose policy takes both witnesses, which know its key. */
async function withWitnesses(folder, run) {
  const dataDir = join(folder, 'hub');
  mkdirSync(dataDir, { recursive: true });
  const beginning = await startHub(dataDir);
  const [vkey] = (await beginning.read('vkeys')).split('\n');
  await beginning.stop();
  const origin = vkey.split('+')[0];
  const lite = await startLitewitness(join(folder, 'litewitness'), { origin, vkey });
  const own = await startOwnWitness(join(folder, 'own'), [vkey]);
  const lines = [
    `witness lite ${lite.vkey} ${lite.prefix}`,
    `witness own ${own.vkey} ${own.prefix}`,
    'group both 2 lite own',
    'quorum both',
  ];
  const policyFile = join(folder, 'policy.txt');
  writeFileSync(policyFile, `${lines.join('\n')}\n`);
  const started = [];
  const restart = async () => {
    const hub = await startHub(dataDir, { WITNESS_POLICY_FILE: policyFile });
    started.push(hub);
    return hub;
  };
  try {
    return await run({ hub: await restart(), restart, dataDir, vkey, lines });
  } finally {
    for (const hub of started) await hub.stop();
    await lite.stop();
    await own.stop();
  }
}

/** Blocks under the published checkpoint; 0 while there is none. */
async function publishedSize(hub) {
  const answer = await fetch(`${hub.prefix}checkpoint`);
  const text = await answer.text();
  return answer.status === 200 ? Number(text.split('\n')[1]) : 0;
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
