// Makes the notice that consumers read about a case, as the blocks of its steps contain it.
import type { DatabaseReader } from '@lothub/kit/database';
import type { SealedNotice } from '../../ledger/record/decisions/contents.ts';
import { chooseAdvice } from '../../lots/notices/advice.ts';
import { findOpenCaseByNo, type OpenCaseRow } from '../../lots/notices/queries.ts';

/** @param step.changed the case as the step changes it */
export async function noticeAfter(
  database: DatabaseReader,
  step: {
    readonly caseNo: string;
    readonly changed: Partial<Pick<OpenCaseRow, 'status' | 'severity'>>;
  },
): Promise<SealedNotice | undefined> {
  const row = await findOpenCaseByNo(database, step.caseNo);
  if (row === undefined) return undefined;
  const { recallContact, website } = row;
  return {
    advice: chooseAdvice({ ...row, ...step.changed }),
    brand_name: row.brandName,
    ...(recallContact === null ? {} : { recall_contact: recallContact }),
    ...(website === null ? {} : { website }),
  };
}
