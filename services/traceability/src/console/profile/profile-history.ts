// The changes of a profile of a brand, a product or a place, newest first: each change from its block, and
// the person from the audit.
import { askForEach } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { LedgerReader } from '../../ledger/read.ts';
import { changersOfBlocks, heightsOfSubject } from './queries.ts';

export const CHANGES_PER_PAGE = 20;

export interface ProfileChange {
  readonly height: number;
  readonly at: string;
  /** Undefined: the audit has no entry of it. */
  readonly actor: string | undefined;
  /** Names of the members that changed; `removed` when the profile was removed. */
  readonly changed: readonly string[] | 'removed';
}

export interface ProfileHistory {
  readonly changes: readonly ProfileChange[];
  /** `before` of the next page; null on the last one. */
  readonly next: number | null;
}

/** The subject of a profile, as decisions name it (`subject`) and as entries of the audit do (`entityId`). */
export interface Subject {
  readonly tenantId: string;
  readonly subject: string;
  readonly entityId: string;
}

export async function readProfileHistory(
  reader: LedgerReader,
  { tenantId, subject, entityId }: Subject,
  before = Number.MAX_SAFE_INTEGER,
): Promise<ProfileHistory> {
  const found = await heightsOfSubject(reader.database, {
    tenantId,
    subject,
    below: before,
    limit: CHANGES_PER_PAGE + 1,
  });
  const { rows: heights, last } = cutPage(found, CHANGES_PER_PAGE);
  const changers = await askForEach(reader.database, cutSlices(heights), (one, slice) =>
    changersOfBlocks(one, { tenantId, entityId, heights: slice }),
  );
  const actors = new Map(changers.flat().map(({ height, actor }) => [height, actor]));
  const blocks = await reader.blocks(heights);
  const changes = blocks.flatMap(({ height, payload }): readonly ProfileChange[] => {
    if (payload.type !== 'brand') return [];
    const { decision } = payload;
    const changed = decision.removed === true ? 'removed' : decision.changed;
    return [{ height, at: decision.at, actor: actors.get(height), changed }];
  });
  return { changes: changes.reverse(), next: last ?? null };
}
