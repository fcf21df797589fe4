// npm run bench -- verify: blocks verified a second beside a bare loop that reads the same rows and
// hashes them, by one thread and as `lothub verify` does.
import { systemClock } from '@lothub/kit/clock';
import { at } from '@lothub/kit/present';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { verifyDatabase } from '@lothub/traceability/ledger/operate/verify-database';
import { LedgerVerification } from '@lothub/traceability/ledger/verify/ledger';
import type { LedgerVerificationOptions } from '@lothub/traceability/ledger/verify/ledger';
import { sqliteSnapshots } from '@lothub/traceability/ledger/sqlite/verifier/snapshots';
import { databaseFile } from '@lothub/traceability/ledger/sqlite/store';
import { makeHub } from './kit/hub.ts';
import { median, printReport } from './kit/report.ts';
import { openScratch } from './kit/scratch.ts';

const BLOCKS = 200_000;
const ROUNDS = 5;
const SLICE_ROWS = 1_000;

export async function benchVerify(): Promise<void> {
  await using scratch = await openScratch();
  await makeHub({ dataDir: scratch.dir, events: BLOCKS, series: 'hub' });
  await using connection = new SqliteConnection(databaseFile(scratch.dir), 'read');
  const bare: number[] = [];
  const links: number[] = [];
  const ledger: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    bare.push(rate(() => readAndHash(connection)));
    links.push(await measureRate(() => verify(connection, { depth: 'links', scope: 'blocks' })));
    ledger.push(
      await measureRate(() => verify(connection, { depth: 'contents', scope: 'ledger' })),
    );
    whole.push(await measureRate(() => verifyWhole(scratch.dir)));
  }
  printReport('verify', [
    { name: 'reading the rows and hashing them, bare loop', value: median(bare), unit: 'blocks/s' },
    { name: 'chain verification', value: median(links), unit: 'blocks/s' },
    {
      name: 'chain verification as a share of the bare loop',
      value: median(links.map((value, round) => value / at(bare, round))),
      unit: '',
      target: { kind: 'at_least', value: 0.9 },
    },
    {
      name: 'whole verification: contents, derived rows, totals',
      value: median(ledger),
      unit: 'blocks/s',
    },
    {
      name: 'lothub verify: the same by all processors, and the check of the file',
      value: median(whole),
      unit: 'blocks/s',
    },
    {
      name: 'lothub verify as a share of the bare loop',
      value: median(whole.map((value, round) => value / at(bare, round))),
      unit: '',
      target: { kind: 'at_least', value: 0.15 },
    },
  ]);
}

function rate(work: () => void): number {
  const startedAt = performance.now();
  work();
  return BLOCKS / ((performance.now() - startedAt) / 1_000);
}

async function measureRate(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return BLOCKS / ((performance.now() - startedAt) / 1_000);
}

interface BareRow {
  readonly height: number;
  readonly hash: string;
  readonly canonical: string;
}

/** The same rows, slice by slice, and one SHA-256 for each: nothing else. */
function readAndHash(connection: SqliteConnection): void {
  const statement = connection.statement(
    'select height, hash, canonical from blocks ' +
      'where height > ? and height <= ? order by height',
  );
  let sound = 0;
  for (let after = -1; after < BLOCKS; after += SLICE_ROWS) {
    const rows = statement.all(after, after + SLICE_ROWS) as unknown as readonly BareRow[];
    for (const row of rows) if (sha256Hex(row.canonical) === row.hash) sound += 1;
  }
  if (sound !== BLOCKS + 1) throw new Error(`only ${sound} blocks hash to their hash`);
}

async function verify(
  connection: SqliteConnection,
  how: Pick<LedgerVerificationOptions, 'depth' | 'scope'>,
): Promise<void> {
  const verification = new LedgerVerification({
    reader: sqliteSnapshots(connection),
    tipRecord: null,
    ...how,
  });
  for (let status = 'more'; status === 'more';) {
    const slice = await verification.advance(SLICE_ROWS);
    if (slice.mismatchCount > 0) throw new Error(JSON.stringify(slice.mismatches[0]));
    status = slice.status;
  }
  if (verification.position.height !== BLOCKS) {
    throw new Error(`verified through ${verification.position.height}, not ${BLOCKS}`);
  }
}

async function verifyWhole(dataDir: string): Promise<void> {
  // A hub that was made without a service has no record of what its log signed.
  const report = await verifyDatabase({ dataDir, clock: systemClock, tip: 'accept' });
  if (!report.ok) throw new Error(JSON.stringify(report.mismatches[0]));
  if (report.blocks !== BLOCKS + 1) throw new Error(`verified ${report.blocks} blocks`);
}
