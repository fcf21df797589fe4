// Numbers of recall cases, such as RC-2026-0001: unique in the hub.
const CASE_DIGITS_MIN = 4;

/** @param caseNo as `CaseNoBefore` requires */
export function parseCaseId(caseNo: string): number {
  return Number(caseNo.slice(caseNo.lastIndexOf('-') + 1));
}

export function formatCaseNo(recallCase: {
  readonly caseId: number;
  readonly year: number;
}): string {
  return `RC-${recallCase.year}-${String(recallCase.caseId).padStart(CASE_DIGITS_MIN, '0')}`;
}
