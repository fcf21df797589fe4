// Batches on PostgreSQL beside the bare insert rate of the rows that they leave, in turn.
import { BareArrays } from './bare-arrays.ts';
import { BATCH_EVENTS, batchBodies, postBatches } from '../batches.ts';
import { heightAt } from '../kit/chain-order.ts';
import { startServices } from '../kit/child.ts';
import type { DatabaseServer } from '../kit/database-server.ts';
import { processorFigures, type ProcessorUse } from '../kit/processor-time.ts';
import { median, medianShare, type Figure } from '../kit/report.ts';
import { watchServices } from '../kit/service-watch.ts';

/** Of a round. */
const BATCHES = 40;
const ROUNDS = 3;
/** Not counted: until compiled code and caches are those of a service at work. */
const WARM_UP_ROUNDS = 1;
const SHARE_OF_BARE = 0.5;

export async function benchBatches(options: {
  readonly dir: string;
  readonly server: DatabaseServer;
}): Promise<readonly Figure[]> {
  const { server } = options;
  const { url: source } = await server.createDatabase();
  const { url: target } = await server.createDatabase();
  await using group = await startServices({
    processes: 1,
    dataDir: options.dir,
    databaseUrl: source,
  });
  const [service] = group.services;
  await using bare = await BareArrays.open({ source, target });
  const watch = watchServices(group.services, server);
  const rates: number[] = [];
  const bareRates: number[] = [];
  const uses: (readonly ProcessorUse[])[] = [];
  const bareUses: (readonly ProcessorUse[])[] = [];
  let after = -1;
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round += 1) {
    console.error(`batches: round ${round + 1} of ${WARM_UP_ROUNDS + ROUNDS}`);
    service.process.send('verifier-resume');
    const bodies = batchBodies(BATCHES, `batch${round}`);
    watch.start();
    const rate = await postBatches(service, bodies);
    const use = watch.stop();
    service.process.send('verifier-pause');
    const through = await heightAt(service);
    const rows = await bare.read({ after, through });
    watch.start();
    const bareSeconds = await bare.insert(rows);
    const bareUse = watch.stop();
    after = through;
    if (round < WARM_UP_ROUNDS) continue;
    rates.push(rate);
    bareRates.push((BATCHES * BATCH_EVENTS) / bareSeconds);
    uses.push(use);
    bareUses.push(bareUse);
  }
  return [
    { name: 'bare array inserts of the same rows', value: median(bareRates), unit: 'events/s' },
    ...processorFigures('bare array inserts', bareUses),
    { name: `batches of ${BATCH_EVENTS} events`, value: median(rates), unit: 'events/s' },
    ...processorFigures('batches', uses),
    {
      name: 'batches as a share of the bare array inserts',
      value: medianShare(rates, bareRates),
      unit: '',
      target: { kind: 'at_least', value: SHARE_OF_BARE },
    },
  ];
}
