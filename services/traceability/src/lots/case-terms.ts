// The closed lists of words that are stored of a recall case (service page, section 7).

/** In the order of a case's life; the last one is reached from each of the first three. */
export const CASE_STATUSES = [
  'investigation',
  'notification',
  'containment',
  'closed',
  'cancelled',
] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

/** How bad it is, the worst first. */
export const SEVERITIES = [
  'class_i',
  'class_ii',
  'class_iii',
  'market_withdrawal',
  'unclassified',
] as const;
export type Severity = (typeof SEVERITIES)[number];
