// What an operator does to a ledger that stands still: verifies it fully, and makes its derived rows anew.
import { systemClock } from '@lothub/kit/clock';
import { openRebuild } from '../src/ledger/operate/open-rebuild.ts';
import type { LedgerPlace } from '../src/ledger/operated-database.ts';
import { verifyDatabase } from '../src/ledger/operate/verify-database.ts';
import type {
  VerificationReport,
  VerifyDatabaseOptions,
} from '../src/ledger/operate/verify-database.ts';
import { findNotFollowed } from '../src/recall/follow/lacking.ts';
import { rebuildDerived, type RebuildProgress } from '../src/ledger/rebuild/rebuild.ts';
import { assertSameInRanges, type RangeSize } from './ranges.ts';

/** As `lothub verify` does, but for what it traces anew (`verifyTraced`): tests make cases by hand, too. */
export async function verifyFully(
  { dataDir, databaseUrl }: LedgerPlace,
  { findMore, ...size }: RangeSize & Pick<VerifyDatabaseOptions, 'findMore'> = {},
): Promise<VerificationReport> {
  const place = { dataDir, databaseUrl };
  const more = findMore === undefined ? {} : { findMore };
  const report = await verifyDatabase({ ...place, ...more, clock: systemClock, tip: 'compare' });
  await assertSameInRanges(place, report, size);
  return report;
}

/** As `lothub verify` does. */
export function verifyTraced(place: LedgerPlace): Promise<VerificationReport> {
  return verifyFully(place, { findMore: findNotFollowed });
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
