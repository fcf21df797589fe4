// The one answer of the page of a lot: may it be used. Of a lot that is not verified nothing is said that would
// reassure. Pure.
import type { Notice } from '../../lots/notices/schema.ts';
import { FIRST_CASE_STATUS, RECALLED, SEVERITIES, UNCLASSIFIED } from '../../terms.ts';
import type { Severity } from '../../terms.ts';
import type { Verification } from '../../verification/schema.ts';

export type Verdict =
  /** `notice` is the worst of those that are open; undefined of a lot that is recalled without one. */
  | {
      readonly kind: 'recalled' | 'examined' | 'withdrawn';
      readonly notice: Notice | undefined;
      readonly others: readonly Notice[];
    }
  | { readonly kind: 'onHold' | 'unconfirmed' | 'clear' };

export type VerdictKind = Verdict['kind'];

export function judgeLot({
  lot,
  notices,
  verified,
}: Pick<Verification, 'lot' | 'notices' | 'verified'>): Verdict {
  const [notice, ...others] = notices.toSorted(
    (a, b) => rankSeverity(a.severity) - rankSeverity(b.severity),
  );
  if (notice !== undefined) return { kind: chooseKind(notice), notice, others };
  if (lot.status === RECALLED) return { kind: 'recalled', notice, others };
  if (lot.hold_status === 'on_hold') return { kind: 'onHold' };
  return { kind: verified ? 'clear' : 'unconfirmed' };
}

/** 0: the worst. */
function rankSeverity(severity: Severity): number {
  return SEVERITIES.indexOf(severity);
}

function chooseKind({ severity, status }: Notice): 'recalled' | 'examined' | 'withdrawn' {
  if (severity === 'market_withdrawal') return 'withdrawn';
  return status === FIRST_CASE_STATUS ? 'examined' : 'recalled';
}

/**
 * Chooses the advice of a notice: during the investigation only a classified severity is a fact.
 */
export function chooseAdviceKind(
  notice: Pick<Notice, 'severity' | 'status'> | undefined,
): Severity | 'notSettled' {
  if (notice === undefined) return UNCLASSIFIED;
  const { severity, status } = notice;
  return status === FIRST_CASE_STATUS && severity === UNCLASSIFIED ? 'notSettled' : severity;
}
