// npm run bench -- witness: what witnesses cost the hub that asks them, and what a witness of many logs
// costs the machine that it runs on.
import { join } from 'node:path';
import { Figures } from '../kit/figures.ts';
import { printReport } from '../kit/report.ts';
import { flushesPerSecond, openScratch } from '../kit/scratch.ts';
import { benchClient } from './client.ts';
import { benchWitnessServer } from './server.ts';

export async function benchWitness(): Promise<void> {
  await using scratch = await openScratch();
  const figures = new Figures('full');
  figures.add({ name: 'disk flushes', value: flushesPerSecond(scratch.dir), unit: '/s' });
  const client = await benchClient(join(scratch.dir, 'client'));
  await benchWitnessServer({ dir: join(scratch.dir, 'server'), figures });
  printReport('witness', [...client, ...figures.list]);
}
