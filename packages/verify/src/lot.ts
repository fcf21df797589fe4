/** Whether the blocks of an evidence file are about the lot that the file names. */
import type { JsonObject, JsonValue } from '@lothub/chain';
import type { ProvenText } from './blocks.ts';
import { isObject, type Evidence } from './evidence-file.ts';
import { Refusal } from './verdict.ts';

/**
 * The name of the lot is no part of the tree, so it must be in a block: in a line of an event of
 * its brand, or in a correction that gives a line this lot code or takes it away. Blocks of later
 * formats cannot be asked.
 *
 * @throws {Refusal} `malformed`
 */
export function judgeLot(lot: Evidence['lot'], blocks: readonly ProvenText[]): void {
  const judged = blocks.filter(({ contents }) => contents === 'judged');
  const isNamed = judged.some(({ block: { payload } }) => {
    return payload['brand'] === lot.brand && namesLot(payload, lot.lotCode);
  });
  if (isNamed || judged.length < blocks.length) return;
  throw new Refusal('malformed', 'None of the blocks in the evidence file is about its lot.');
}

/** Whether a payload has the lot code in a line of its event, or as one that its correction changes. */
export function namesLot(payload: JsonObject, lotCode: string): boolean {
  return (
    listItems(payload['event'], 'lines').some((line) => line['lot_code'] === lotCode) ||
    listItems(payload['correction'], 'changes').some(
      ({ field, from, to }) =>
        typeof field === 'string' &&
        field.endsWith('.lot_code') &&
        (from === lotCode || to === lotCode),
    )
  );
}

function listItems(
  content: JsonValue | undefined,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const items: unknown = isObject(content) ? content[name] : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}
