/** Whether the blocks of an evidence file tell of the lot that the file names. */
import type { JsonValue } from '@lothub/chain';
import type { ProvenText } from './blocks.ts';
import { isObject, type Evidence } from './evidence-file.ts';
import { Refusal } from './verdict.ts';

/**
 * The name of the lot is no part of the tree, so it must stand in a block: in a line of an event of
 * its brand, or in a correction that gives a line this lot code or takes it away. Blocks of later
 * formats cannot be asked.
 *
 * @throws {Refusal} `malformed`
 */
export function judgeLot(lot: Evidence['lot'], blocks: readonly ProvenText[]): void {
  const judged = blocks.filter(({ contents }) => contents === 'judged');
  const isNamed = judged.some(({ block: { payload } }) => {
    if (payload['brand'] !== lot.brand) return false;
    return (
      itemsOf(payload['event'], 'lines').some((line) => line['lot_code'] === lot.lotCode) ||
      itemsOf(payload['correction'], 'changes').some(
        ({ field, from, to }) =>
          typeof field === 'string' &&
          field.endsWith('.lot_code') &&
          (from === lot.lotCode || to === lot.lotCode),
      )
    );
  });
  if (isNamed || judged.length < blocks.length) return;
  throw new Refusal('malformed', 'None of the blocks in the evidence file tells of its lot.');
}

function itemsOf(
  content: JsonValue | undefined,
  name: string,
): readonly Readonly<Record<string, unknown>>[] {
  const items: unknown = isObject(content) ? content[name] : undefined;
  return Array.isArray(items) ? items.filter(isObject) : [];
}
