// How long the tree of a hub takes that has none yet, from the start of the service to its first checkpoint,
// while posts go on.
import { setTimeout } from 'node:timers/promises';
import { benchEvent } from '../events.ts';
import type { ServiceChild } from '../kit/child.ts';
import type { Figures } from '../kit/figures.ts';
import { startSteadyLoad } from '../kit/steady-load.ts';

const BUILT_SECONDS_MAX = 60;
const POSTS_PER_SECOND = 50;
/** As many as are posted in the longest time that is waited. */
const POSTS = 30_000;
const LOOK_EVERY_MS = 50;
const KIND = 'single POST while the tree is built';

export async function benchBuild(options: {
  readonly start: () => Promise<ServiceChild>;
  readonly blocks: number;
  readonly figures: Figures;
}): Promise<void> {
  const { start, blocks, figures } = options;
  const startedAt = performance.now();
  await using service = await start();
  const posts = await startSteadyLoad({
    url: service.address,
    perSecond: POSTS_PER_SECOND,
    requests: Array.from({ length: POSTS }, (_, n) => ({
      kind: KIND,
      method: 'POST',
      path: '/v1/events',
      body: JSON.stringify(benchEvent(n, 'build')),
    })),
  });
  while (!(await isSigned(service, blocks))) await setTimeout(LOOK_EVERY_MS);
  const seconds = (performance.now() - startedAt) / 1_000;
  const waits = (await posts.stop()).get(KIND);
  figures.add({
    name: `tree of ${blocks} blocks, ${POSTS_PER_SECOND} posts a second meanwhile`,
    value: seconds,
    unit: 's',
    target: { kind: 'at_most', value: BUILT_SECONDS_MAX },
  });
  if (waits !== undefined) figures.addLatencies(KIND, waits);
}

async function isSigned({ address }: ServiceChild, blocks: number): Promise<boolean> {
  const response = await fetch(`${address}/log/1/checkpoint`);
  const text = await response.text();
  if (!response.ok) return false;
  const [, size] = text.split('\n');
  if (Number(size) < blocks) throw new Error(`the first checkpoint is over ${size} blocks`);
  return true;
}
