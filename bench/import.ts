// npm run bench -- import: CSV import beside batches of the same events, and memory for 500 MB.
import { createWriteStream } from 'node:fs';
import { openAsBlob } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { benchEvent } from './events.ts';
import { HEADERS, postJson, startService, type ServiceChild } from './kit/child.ts';
import { median, medianShare, printReport } from './kit/report.ts';
import { flushesPerSecond, openScratch } from './kit/scratch.ts';

const BATCH_EVENTS = 1_000;
const BATCHES_IN_FLIGHT = 4;
const EVENTS = 100_000;
const ROUNDS = 3;
const LARGE_FILE_BYTES = 500_000_000;
const MEMORY_EVERY_MS = 500;
const BYTES_OF_MEGABYTE = 1_000_000;

const COLUMNS =
  'external_id,event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit,customer_ref,channel,supplier_name,origin_facility,supplier_lot_code,notes';

export async function benchImport(): Promise<void> {
  await using scratch = await openScratch();
  const flushes = flushesPerSecond(scratch.dir);
  const batches: number[] = [];
  const imports: number[] = [];
  {
    await using service = await startService({ dataDir: join(scratch.dir, 'rate') });
    for (let round = 0; round < ROUNDS; round += 1) {
      batches.push(await batchRate(service, `b${round}`));
      const file = join(scratch.dir, `rate-${round}.csv`);
      await writeCsv(file, `c${round}`, (n) => n < EVENTS);
      imports.push(await importRate(service, file));
    }
  }
  const large = await benchMemory(scratch.dir);
  printReport('import', [
    { name: 'disk flushes', value: flushes, unit: '/s' },
    { name: `batches of ${BATCH_EVENTS} events`, value: median(batches), unit: 'events/s' },
    { name: `CSV import of ${EVENTS} events`, value: median(imports), unit: 'events/s' },
    {
      name: 'CSV import as a share of the batches',
      value: medianShare(imports, batches),
      unit: '',
      target: { kind: 'at_least', value: 0.85 },
    },
    { name: 'CSV import of 500 MB', value: large.perSecond, unit: 'events/s' },
    {
      name: 'memory above idle while 500 MB are imported, at most',
      value: large.aboveIdleBytes / BYTES_OF_MEGABYTE,
      unit: 'MB',
      target: { kind: 'at_most', value: 200 },
    },
  ]);
}

async function batchRate(service: ServiceChild, series: string): Promise<number> {
  const bodies = Array.from({ length: EVENTS / BATCH_EVENTS }, (_, batch) =>
    JSON.stringify({
      events: Array.from({ length: BATCH_EVENTS }, (__, index) =>
        benchEvent(batch * BATCH_EVENTS + index, series),
      ),
    }),
  );
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: BATCHES_IN_FLIGHT }, async () => {
      for (let body = bodies.shift(); body !== undefined; body = bodies.shift()) {
        const status = await postJson(`${service.address}/v1/events/batch`, body);
        if (status !== 201) throw new Error(`a batch was answered ${status}`);
      }
    }),
  );
  return EVENTS / ((performance.now() - startedAt) / 1_000);
}

/** Writes events as rows while `more` says so. @returns how many events were written */
async function writeCsv(
  file: string,
  series: string,
  more: (events: number, bytes: number) => boolean,
): Promise<number> {
  const stream = createWriteStream(file);
  stream.write(`${COLUMNS}\n`);
  let events = 0;
  let bytes = 0;
  while (more(events, bytes)) {
    const event = benchEvent(events, series);
    let text = '';
    for (const line of event.lines) {
      text +=
        `${event.external_id},${event.event_type},${event.occurred_at},${event.location},` +
        `${event.reference},${line.lot_code},${line.product_sku},${line.direction},` +
        `${line.quantity},${line.unit},,,,,,\n`;
    }
    events += 1;
    bytes += text.length;
    if (!stream.write(text)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
  return events;
}

interface ImportAnswer {
  readonly accepted?: number;
}

async function importRate(service: ServiceChild, file: string): Promise<number> {
  const startedAt = performance.now();
  const form = new FormData();
  form.set('file', await openAsBlob(file, { type: 'text/csv' }), 'events.csv');
  const response = await fetch(`${service.address}/v1/import/csv`, {
    method: 'POST',
    headers: HEADERS,
    body: form,
  });
  const answer = (await response.json()) as ImportAnswer;
  if (answer.accepted === undefined || answer.accepted === 0) {
    throw new Error(`the import was answered ${response.status}: ${JSON.stringify(answer)}`);
  }
  return answer.accepted / ((performance.now() - startedAt) / 1_000);
}

async function benchMemory(dir: string) {
  const file = join(dir, 'large.csv');
  await writeCsv(file, 'large', (_events, bytes) => bytes < LARGE_FILE_BYTES);
  await using service = await startService({ dataDir: join(dir, 'memory') });
  const idleBytes = await service.rssBytes();
  let mostBytes = idleBytes;
  const watch = setInterval(() => {
    void service.rssBytes().then((bytes) => (mostBytes = Math.max(mostBytes, bytes)));
  }, MEMORY_EVERY_MS);
  try {
    const perSecond = await importRate(service, file);
    return { perSecond, aboveIdleBytes: mostBytes - idleBytes };
  } finally {
    clearInterval(watch);
  }
}
