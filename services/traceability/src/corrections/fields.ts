// Reads how a caller spells the field of a change
// (docs/interface/traceability.md#what-may-be-corrected). The chain has one spelling of each:
// ledger/record/field-path.ts.
import { isEventField, isLineField } from '../ledger/record/field-path.ts';
import type { FieldPath, LineField } from '../ledger/record/field-path.ts';
import { EVENT_FIELD_LIST, isCorrectableEventField } from '../ledger/record/fields.ts';
import type { EventTable, NamesWith } from '../ledger/record/fields.ts';

type FixedName = NamesWith<EventTable, { correctable: false }>;

/** Fields of an event that nobody can correct. */
const FIXED_FIELDS = EVENT_FIELD_LIST.map(({ name }) => name).filter(
  (name): name is FixedName => !isCorrectableEventField(name),
);

export type RequestedField =
  | FieldPath
  /** A field of a line, without saying of which: of the one that has the old value. */
  | { readonly kind: 'bare'; readonly field: LineField }
  | { readonly kind: 'fixed'; readonly field: FixedName }
  | { readonly kind: 'unknown' };

const INDEX = '(0|[1-9][0-9]*)';
const NAME = '([a-z_]+)';
const LINE_SPELLINGS = [
  new RegExp(`^lines\\[${INDEX}\\]\\.${NAME}$`),
  new RegExp(`^lines\\.${INDEX}\\.${NAME}$`),
  new RegExp(`^/lines/${INDEX}/${NAME}$`),
];

/** Reads any spelling: `location`, `/location`, `lines.0.quantity`, `quantity`. */
export function readField(text: string): RequestedField {
  for (const spelling of LINE_SPELLINGS) {
    const [, index, name] = spelling.exec(text) ?? [];
    if (index === undefined || name === undefined) continue;
    return isLineField(name)
      ? { kind: 'line', lineNo: Number(index), field: name }
      : { kind: 'unknown' };
  }
  const name = text.replace(/^\//, '');
  if (isEventField(name)) return { kind: 'event', field: name };
  const fixed = FIXED_FIELDS.find((field) => field === name);
  if (fixed !== undefined) return { kind: 'fixed', field: fixed };
  return isLineField(text) ? { kind: 'bare', field: text } : { kind: 'unknown' };
}
