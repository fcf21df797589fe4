// Finds the codes of lots that a block of a decision names: a hold, a recall case with its scope, a
// drill. The blocks are those of another hub, so nothing of their form is assumed.

/** Members of a decision that are lists of codes, and those that are lists of rows with a code. */
const CODES = ['added', 'excluded', 'left', 'lots', 'restored'] as const;
const ROWS = ['changed', 'entered'] as const;

export function namesDecidedLot(decision: unknown, lotCode: string): boolean {
  if (!isObject(decision)) return false;
  const codes = [
    decision['lot'],
    readMember(decision['seed'], 'lot_code'),
    ...CODES.flatMap((name) => itemsOf(decision[name])),
    ...ROWS.flatMap((name) => itemsOf(decision[name]).map((row) => readMember(row, 'lot'))),
  ];
  // The block that discloses a confidential decision contains the whole of it.
  return codes.includes(lotCode) || namesDecidedLot(decision['contents'], lotCode);
}

/** Reads a member of an object; undefined for any other value. */
export function readMember(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
