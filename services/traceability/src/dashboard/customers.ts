// Whether a line of a sale names its customer, as it counts. A customer that was erased was named: the
// chain still carries the commitment to it.
import { slicesInTurns } from '@lothub/kit/in-turns';
import { isEventBlock, readCorrections } from '../ledger/effective-reader.ts';
import type { CorrectionsOf, EventBlock } from '../ledger/effective-reader.ts';
import { findFieldPath } from '../ledger/record/field-path.ts';
import { OPENED_PER_TURN, readPrivateValues } from '../ledger/private-values.ts';
import type { PrivateValuesOf } from '../ledger/private-values.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { isSale } from '../ledger/record/event-types.ts';
import { hasErased, type WindowEvent, type WindowLine } from './queries.ts';

export async function readCustomers(
  reader: LedgerReader,
  options: {
    readonly tenantId: string;
    readonly events: readonly WindowEvent[];
    readonly linesOf: ReadonlyMap<number, readonly WindowLine[]>;
  },
): Promise<(line: WindowLine) => boolean> {
  const { tenantId, events, linesOf } = options;
  const sales = events.filter(({ eventType }) => isSale(eventType));
  const erased = await hasErased(reader.database, tenantId);
  // Most need no look at their block: what was sent with the line is what counts.
  const unsure = sales.filter(({ height, corrections }) => {
    const lacksOne = (linesOf.get(height) ?? []).some(({ hasCustomer }) => hasCustomer === 0);
    return corrections > 0 || (erased && lacksOne);
  });
  const named = new Map<string, boolean>();
  const heights = unsure.map(({ height }) => height);
  for await (const slice of slicesInTurns(heights, OPENED_PER_TURN)) {
    const corrections = await readCorrections(reader, slice);
    const values = await readPrivateValues(reader.database, slice, corrections);
    for (const block of (await reader.blocks(slice)).filter(isEventBlock)) {
      for (const lineNo of block.payload.event.lines.keys()) {
        const isNamed = isCustomerNamed({ block, lineNo, corrections, values, erased });
        named.set(buildPlaceKey({ height: block.height, lineNo }), isNamed);
      }
    }
  }
  return (line) => named.get(buildPlaceKey(line)) ?? line.hasCustomer === 1;
}

function buildPlaceKey({ height, lineNo }: Pick<WindowLine, 'height' | 'lineNo'>): string {
  return `${height}.${lineNo}`;
}

function isCustomerNamed(line: {
  readonly block: EventBlock;
  readonly lineNo: number;
  readonly corrections: CorrectionsOf;
  readonly values: PrivateValuesOf;
  readonly erased: boolean;
}): boolean {
  const { block, lineNo, corrections, values, erased } = line;
  const { height } = block;
  const kept = values.sealed(height).lines.get(lineNo);
  const isErased = kept === undefined && block.payload.event.lines[lineNo]?.private !== undefined;
  let isNamed = isErased || (kept?.customerRef ?? null) !== null;
  for (const correction of corrections.get(height) ?? []) {
    for (const [changeNo, change] of correction.payload.correction.changes.entries()) {
      const path = findFieldPath(change.field);
      if (path?.kind !== 'line' || path.lineNo !== lineNo || path.field !== 'customer_ref')
        continue;
      // It is unknown whether an erased change named a customer; it probably did.
      isNamed = values.change(correction.height, changeNo).to !== null || erased;
    }
  }
  return isNamed;
}
