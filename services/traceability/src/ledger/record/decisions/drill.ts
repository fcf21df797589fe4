// Recall drills, as their blocks say them.
import type { DrillDecision } from './contents.ts';
import { hasDecisionMembers, hasOnly, isCount, isText, isTip } from './members.ts';
import type { Fields } from './members.ts';

const MEMBERS = ['at', 'committed', 'drill', 'elapsed_us', 'lot', 'migrated', 'tip'] as const;

export function isDrillDecision(content: Fields): boolean {
  const { drill, elapsed_us: elapsed, lot, tip } = content;
  return (
    hasDecisionMembers(content) &&
    hasOnly(content, MEMBERS) &&
    isCount(drill) &&
    isCount(elapsed) &&
    isText(lot) &&
    isTip(tip)
  );
}

const US_PER_SECOND = 1_000_000;

export function summaryOfDrill({ elapsed_us: elapsed, lot }: DrillDecision, brand: string): string {
  return `Recall drill of ${brand}: lot ${lot} traced in ${elapsed / US_PER_SECOND} s`;
}

export function subjectOfDrill({ drill }: Pick<DrillDecision, 'drill'>): string {
  return String(drill);
}
