// Holds and releases by hand, as their blocks say them.
import type { HoldDecision } from './contents.ts';
import { hasDecisionMembers, hasOnly, isLotList, isText } from './members.ts';
import type { Fields } from './members.ts';

const MEMBERS = ['at', 'case_no', 'committed', 'lots', 'migrated', 'state'] as const;

export function isHoldDecision(content: Fields): boolean {
  const { case_no: caseNo, lots, state } = content;
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, MEMBERS) &&
    isLotList(lots) &&
    (state === 'held' ? caseNo === undefined : state === 'released') &&
    (caseNo === undefined || isText(caseNo))
  );
}

export function summaryOfHold(
  { lots, state, case_no: caseNo }: HoldDecision,
  brand: string,
): string {
  const [first = ''] = lots;
  const named = lots.length === 1 ? `Lot ${first}` : `${lots.length} lots`;
  const origin = caseNo === undefined ? '' : ` from the hold of ${caseNo}`;
  return `${named} of ${brand} ${state}${origin}`;
}
