// npm run bench -- notify: durable posts beside a no-op and beside a commit for each request, streams
// with thousands of readers, posts while readers resume, what reaching people costs posts, pages of a large inbox, and
// what a person waits in a real browser.
import { parseArgs } from 'node:util';
import { startDatabaseServer } from '../kit/database-server.ts';
import { benchNotifyBrowser } from './browser.ts';
import { benchNotifyFanout } from './fanout.ts';
import { INBOX_ROWS, benchNotifyInbox } from './inbox.ts';
import { benchNotifyIngest } from './ingest.ts';
import { benchNotifyReach } from './reach.ts';
import { benchNotifyResuming } from './resuming.ts';
import { readEngine, wholeNumber } from '../kit/options.ts';
import { printReport, type Figure } from '../kit/report.ts';
import { openScratch } from '../kit/scratch.ts';

const PARTS = ['ingest', 'streams', 'resuming', 'reach', 'browser', 'inbox'] as const;
type Part = (typeof PARTS)[number];

export const NOTIFY_USAGE = `[--engine sqlite|postgres] [--processes 1] [--rows ${INBOX_ROWS}] [--only ${PARTS.join('|')}]`;

export async function benchNotify(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      engine: { type: 'string' },
      processes: { type: 'string' },
      rows: { type: 'string' },
      only: { type: 'string' },
    },
  });
  const engine = readEngine(values.engine);
  const processes = wholeNumber('--processes', values.processes ?? '1', 1);
  const rows = wholeNumber('--rows', values.rows ?? String(INBOX_ROWS), 1);
  const parts = PARTS.filter((part) => values.only === undefined || values.only === part);
  if (parts.length === 0) throw new Error(`--only takes one of ${PARTS.join(', ')}`);
  if (engine === 'sqlite' && processes > 1) {
    throw new Error('SQLite is served by one process: add --engine postgres');
  }
  await using scratch = await openScratch();
  const dir = scratch.dir;
  await using server = engine === 'postgres' ? await startDatabaseServer(dir) : undefined;
  const bench: Readonly<Record<Part, () => Promise<readonly Figure[]>>> = {
    ingest: () => benchNotifyIngest({ dir, server, processes }),
    streams: () => benchNotifyFanout({ dir, server, processes }),
    resuming: () => benchNotifyResuming({ dir, server }),
    reach: () => benchNotifyReach({ dir, server }),
    browser: () => benchNotifyBrowser({ dir, server }),
    inbox: () => benchNotifyInbox({ dir, server, rows }),
  };
  const figures: Figure[] = [];
  for (const part of parts) {
    console.error(`${part} …`);
    const found = await bench[part]();
    for (const { name, value, unit } of found) console.error(`  ${name}: ${value} ${unit}`);
    figures.push(...found);
  }
  printReport(engine === 'sqlite' ? 'notify' : 'notify-postgres', figures);
}
