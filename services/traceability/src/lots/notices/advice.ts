// What a notice tells consumers to do: one plain sentence by how bad it is and how far the case is
// (docs/interface/traceability.md#notices). Pure.
import { FIRST_CASE_STATUS, UNCLASSIFIED } from '../../terms.ts';
import type { CaseStatus, Severity } from '../../terms.ts';

const NOT_SETTLED = 'Do not use products of these lots until it is known whether they are safe';

const BY_SEVERITY: Readonly<Record<Severity, string>> = {
  class_i: 'Do not use products of these lots: they may cause serious harm or death',
  class_ii: 'Do not use products of these lots: they may cause temporary harm',
  class_iii: 'Do not use products of these lots, although they are not likely to cause harm',
  market_withdrawal: 'Products of these lots are taken back; they are not likely to cause harm',
  unclassified: 'Do not use products of these lots',
};

export function adviceOf(notice: {
  readonly severity: Severity;
  readonly status: CaseStatus;
  readonly brandName: string;
  /** Where the brand says that consumers reach it in a recall. */
  readonly recallContact: string | null;
  readonly website: string | null;
}): string {
  const { severity, status, brandName, recallContact, website } = notice;
  // As long as it is looked into, only what is known to be grave is said as a fact.
  const isSettled = status !== FIRST_CASE_STATUS || severity !== UNCLASSIFIED;
  const what = isSettled ? BY_SEVERITY[severity] : NOT_SETTLED;
  const ways = [recallContact, website].filter((way) => way !== null);
  const where = ways.length === 0 ? '' : ` (${ways.join(', ')})`;
  return `${what}; ask ${brandName}${where}, or where you got them, how to return them.`;
}
