// What an operator does to a ledger that stands still: verifies it fully, and makes its derived rows anew.
import { systemClock } from '@lothub/kit/clock';
import { openRebuild } from '../src/ledger/operate/open-rebuild.ts';
import type { LedgerPlace } from '../src/ledger/operated-database.ts';
import { verifyDatabase, type VerificationReport } from '../src/ledger/operate/verify-database.ts';
import { rebuildDerived, type RebuildProgress } from '../src/ledger/rebuild/rebuild.ts';
import { assertSameInRanges } from './ranges.ts';

/** As `lothub verify` does. */
export async function verifyFully({
  dataDir,
  databaseUrl,
}: LedgerPlace): Promise<VerificationReport> {
  const place = { dataDir, databaseUrl };
  const report = await verifyDatabase({ ...place, clock: systemClock, tip: 'compare' });
  await assertSameInRanges(place, report);
  return report;
}

/** Codes of what a full verification finds. */
export async function verifiedCodes(place: LedgerPlace): Promise<readonly string[]> {
  const { mismatches } = await verifyFully(place);
  return mismatches.map(({ code }) => code);
}

/**
 * As `lothub rebuild` does.
 * @returns the height through which the rows were made
 */
export async function rebuildRows(
  { dataDir, databaseUrl }: LedgerPlace,
  onProgress: (progress: RebuildProgress) => void = () => undefined,
): Promise<number> {
  await using opened = await openRebuild({ dataDir, databaseUrl });
  return (await rebuildDerived({ ledger: opened.ledger, onProgress })).height;
}
