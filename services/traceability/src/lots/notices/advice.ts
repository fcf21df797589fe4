// Makes the advice of a notice: one plain sentence by the severity and the state of the case
// (docs/interface/traceability.md#notices). Pure.
import { FIRST_CASE_STATUS, UNCLASSIFIED, type CaseStatus, type Severity } from '../../terms.ts';

const NOT_SETTLED = 'Do not use products of these lots until it is known whether they are safe';

const BY_SEVERITY: Readonly<Record<Severity, string>> = {
  class_i: 'Do not use products of these lots: they may cause serious harm or death',
  class_ii: 'Do not use products of these lots: they may cause temporary harm',
  class_iii: 'Do not use products of these lots, although they are not likely to cause harm',
  market_withdrawal: 'Products of these lots are taken back; they are not likely to cause harm',
  unclassified: 'Do not use products of these lots',
};

export function chooseAdvice(notice: {
  readonly severity: Severity;
  readonly status: CaseStatus;
  readonly brandName: string;
  /** The contact for consumers in a recall, as the brand says. */
  readonly recallContact: string | null;
  readonly website: string | null;
}): string {
  const { severity, status, brandName, recallContact, website } = notice;
  // During the investigation, the sentence gives only a classified severity as a fact.
  const isSettled = status !== FIRST_CASE_STATUS || severity !== UNCLASSIFIED;
  const what = isSettled ? BY_SEVERITY[severity] : NOT_SETTLED;
  const ways = [recallContact, website].filter((way) => way !== null);
  const where = ways.length === 0 ? '' : ` (${ways.join(', ')})`;
  return `${what}; ask ${brandName}${where}, or where you got them, how to return them.`;
}
