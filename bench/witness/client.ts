// What witnesses cost those who post, and how long a round takes.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseCheckpoint } from '@lothub/chain/log';
import { benchEvent } from '../events.ts';
import { HEADERS, startService, type ServiceChild } from '../kit/child.ts';
import { load } from '../kit/load.ts';
import { median, medianShare, type Figure } from '../kit/report.ts';
import { startCosigners, type Cosigners } from './cosigners.ts';

const WITNESSES = 5;
/** Ten times as often as by default. */
const INTERVAL_SECONDS = '1';
const CONNECTIONS = 64;
const ROUNDS = 9;
/** Not counted: until compiled code and caches are those of a service at work. */
const WARM_UP_ROUNDS = 1;
const ROUND_SECONDS = 4;
const TIMED_ROUNDS = 30;
const POLL_MS = 2;
const TIMED_ROUND_MS_MAX = 20_000;

const SHARE = 0.98;
const ROUND_P95_MS = 300;
const P95 = 0.95;

export async function benchClient(dir: string): Promise<readonly Figure[]> {
  await mkdir(dir, { recursive: true });
  return [...(await benchPosts(dir)), ...(await benchRounds(dir))];
}

async function benchPosts(dir: string): Promise<readonly Figure[]> {
  const policyFile = join(dir, 'hanging.txt');
  await using witnesses = await startCosigners({ policyFile, count: WITNESSES, hanging: 1 });
  await using alone = await startService({ dataDir: join(dir, 'alone') });
  await using witnessed = await startService({
    dataDir: join(dir, 'witnessed'),
    env: { WITNESS_POLICY_FILE: witnesses.policyFile, WITNESS_INTERVAL: INTERVAL_SECONDS },
  });
  const rates = { alone: [] as number[], witnessed: [] as number[] };
  const ways = ['alone', 'witnessed'] as const;
  const hubs = { alone, witnessed };
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    console.error(`posts: round ${round + 1} of ${WARM_UP_ROUNDS + ROUNDS}`);
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const rate = await postFor(hubs[way], `${way}${round}`);
      if (round >= WARM_UP_ROUNDS) rates[way].push(rate);
    }
  }
  return [
    { name: 'single POST without witnesses', value: median(rates.alone), unit: '/s' },
    {
      name: `single POST beside rounds with ${WITNESSES} witnesses, one hanging`,
      value: median(rates.witnessed),
      unit: '/s',
    },
    {
      name: 'single POST beside rounds as a share of those without',
      value: medianShare(rates.witnessed, rates.alone),
      unit: '',
      target: { kind: 'at_least', value: SHARE },
    },
  ];
}

async function postFor(hub: ServiceChild, series: string): Promise<number> {
  const result = await load({
    url: `${hub.address}/v1/events`,
    connections: CONNECTIONS,
    seconds: ROUND_SECONDS,
    method: 'POST',
    headers: HEADERS,
    body: (n) => JSON.stringify(benchEvent(n, series)),
  });
  if (result.failures > 0) throw new Error(`${result.failures} posts were refused`);
  return result.perSecond;
}

/** From the first request to a witness until everybody reads the checkpoint with the quorum of all. */
async function benchRounds(dir: string): Promise<readonly Figure[]> {
  const policyFile = join(dir, 'all.txt');
  await using witnesses = await startCosigners({ policyFile, count: WITNESSES, hanging: 0 });
  await using hub = await startService({
    dataDir: join(dir, 'rounds'),
    env: { WITNESS_POLICY_FILE: witnesses.policyFile, WITNESS_INTERVAL: INTERVAL_SECONDS },
  });
  const tookMs: number[] = [];
  for (let round = 0; round < TIMED_ROUNDS; round += 1) {
    const body = JSON.stringify(benchEvent(round, 'rounds'));
    const headers = { ...HEADERS, 'content-type': 'application/json' };
    const posted = await fetch(`${hub.address}/v1/events`, { method: 'POST', headers, body });
    if (posted.status !== 201) throw new Error(`a post was answered ${posted.status}`);
    tookMs.push(await timeRound(hub, witnesses));
  }
  const sorted = tookMs.toSorted((a, b) => a - b);
  const p95 = sorted[Math.ceil(sorted.length * P95) - 1] ?? Number.NaN;
  return [
    { name: `a round with ${WITNESSES} witnesses, p50`, value: median(tookMs), unit: 'ms' },
    {
      name: `a round with ${WITNESSES} witnesses, p95`,
      value: p95,
      unit: 'ms',
      target: { kind: 'at_most', value: ROUND_P95_MS },
    },
  ];
}

async function timeRound(hub: ServiceChild, witnesses: Cosigners): Promise<number> {
  const latest = await fetch(`${hub.address}/log/1/checkpoint/latest`);
  const { size } = parseCheckpoint(await latest.text());
  const deadline = performance.now() + TIMED_ROUND_MS_MAX;
  while (performance.now() < deadline) {
    const answer = await fetch(`${hub.address}/log/1/checkpoint`);
    const text = await answer.text();
    if (answer.status === 200 && parseCheckpoint(text).size >= size) {
      const askedAt = witnesses.askedAt(size);
      if (askedAt !== undefined) return performance.now() - askedAt;
    }
    await sleep(POLL_MS);
  }
  throw new Error(`no checkpoint of ${size} was published in ${TIMED_ROUND_MS_MAX} ms`);
}
