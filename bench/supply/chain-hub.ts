// A hub of a generated supply chain, appended on SQLite; with its size, and the rate of appending.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Figures } from '../kit/figures.ts';
import { fillHub } from '../kit/hub.ts';
import type { SupplyChain } from './chain.ts';

const PROGRESS_PARTS = 20;

export async function buildChainHub(
  chain: SupplyChain,
  dataDir: string,
  figures: Figures,
): Promise<void> {
  const { model, eventCount } = chain;
  let lines = 0;
  let reported = 0;
  const startedAt = performance.now();
  await fillHub({
    dataDir,
    events: chain.events(),
    onSlice: (done) => {
      if (done - reported < eventCount / PROGRESS_PARTS) return;
      reported = done;
      const rate = Math.round(done / ((performance.now() - startedAt) / 1_000));
      console.error(`appended ${done} of ${eventCount} events, ${rate}/s`);
    },
    onAppended: ({ event, eventNo }, height) => {
      lines += event.lines.length;
      if (eventNo !== undefined) model.setHeight(eventNo, height);
    },
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const bytes = countBytes(dataDir);
  const add = (name: string, value: number, unit: string) => figures.add({ name, value, unit });
  add('events of the hub', eventCount, '');
  add('lines of the hub', lines, '');
  add('lots of the tenant', model.lotCount, '');
  add('building the hub', eventCount / seconds, 'events/s');
  add('disk for one event, all its rows and indexes', bytes / eventCount, 'bytes');
  add('disk for one line', bytes / lines, 'bytes');
}

function countBytes(dir: string): number {
  return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
}
