// What a correction makes of an event in the plain model
// (docs/interface/traceability.md#what-may-be-corrected): which field it means, whether it may change it,
// and what the event is after that.
import type { RecordedEvent, RequestedChange } from './records.ts';
import { toDecimal, toNumber } from './decimal.ts';
import { compareInstants, utcText } from './instants.ts';

/** The changes that a correction makes; undefined when the page demands a 400. */
export function planChanges(
  target: RecordedEvent,
  requested: readonly RequestedChange[],
): readonly RequestedChange[] | undefined {
  if (target.effective.event_type === 'CORRECTION' || target.voided) return undefined;
  const seen = new Set<string>();
  const changes: RequestedChange[] = [];
  for (const { field, old_value, new_value } of requested) {
    const path = findPath(target, field, old_value);
    if (path === undefined || seen.has(spelled(path))) return undefined;
    seen.add(spelled(path));
    const now = valueAt(target, path);
    if (path.name === 'consignee_ref' && now === null && findSide(target, path) === 'in') {
      return undefined;
    }
    if (!isSame(path.name, now, old_value) || isSame(path.name, now, new_value)) return undefined;
    const shown = path.name === 'occurred_at' ? utcText(String(new_value)) : new_value;
    changes.push({ field: spelled(path), old_value: now, new_value: shown });
  }
  return changes;
}

/** The event with one planned change more. */
export function changed(before: RecordedEvent, change: RequestedChange): RecordedEvent {
  const path = findPath(before, change.field, change.old_value);
  if (path === undefined) throw new Error(`no field ${change.field}`);
  const value = change.new_value;
  const { effective } = before;
  if ('lineNo' in path) {
    const set = path.name === 'quantity' ? toDecimal(Number(value)) : value;
    const lines = effective.lines.map((line, lineNo) =>
      lineNo === path.lineNo ? { ...line, [path.name]: set } : line,
    );
    return { ...before, effective: { ...effective, lines } };
  }
  if (path.name === 'status') return { ...before, voided: true };
  return { ...before, effective: { ...effective, [path.name]: value } };
}

/** The value that a field has now, as answers show it, and whether it is a field of a line. */
export function shownValue(
  target: RecordedEvent,
  field: string,
  lineNo: number,
): { readonly value: string | number | null; readonly isLine: boolean } {
  const name = LINE_FIELDS.find((one) => one === field);
  if (name !== undefined) return { value: valueAt(target, { name, lineNo }), isLine: true };
  const path = EVENT_FIELDS.find((one) => one === field);
  if (path === undefined) throw new Error(`no field ${field}`);
  return { value: valueAt(target, { name: path }), isLine: false };
}

const EVENT_FIELDS = ['occurred_at', 'location', 'reference', 'notes', 'status'] as const;
const LINE_FIELDS = [
  'lot_code',
  'product_sku',
  'direction',
  'quantity',
  'unit',
  'customer_ref',
  'consignee_ref',
  'channel',
  'supplier_name',
  'origin_facility',
  'supplier_lot_code',
] as const;

type EventPath = { readonly name: (typeof EVENT_FIELDS)[number] };
type LinePath = { readonly name: (typeof LINE_FIELDS)[number]; readonly lineNo: number };
type Path = EventPath | LinePath;
type Shown = string | number | null;

function findPath(target: RecordedEvent, field: string, oldValue: Shown): Path | undefined {
  const eventField = EVENT_FIELDS.find((name) => name === field);
  if (eventField !== undefined) return { name: eventField };
  const [, lineNo, named] =
    /^(?:lines\[|lines\.|\/lines\/)(\d+)(?:\]\.|\.|\/)(\w+)$/.exec(field) ?? [];
  const name = LINE_FIELDS.find((one) => one === (named ?? field));
  if (name === undefined) return undefined;
  const isPrivate = name === 'customer_ref' || name === 'channel';
  if (isPrivate && target.effective.event_type !== 'SELL') return undefined;
  if (name === 'consignee_ref' && target.effective.event_type !== 'SHIP') return undefined;
  if (lineNo !== undefined) {
    return Number(lineNo) < target.effective.lines.length
      ? { name, lineNo: Number(lineNo) }
      : undefined;
  }
  // A bare field means the one line that has the old value.
  const having = target.effective.lines.flatMap((_line, index) => {
    const path = { name, lineNo: index };
    return isSame(name, valueAt(target, path), oldValue) ? [path] : [];
  });
  return having.length === 1 ? having[0] : undefined;
}

function findSide(target: RecordedEvent, path: Path): string | undefined {
  return 'lineNo' in path ? target.effective.lines[path.lineNo]?.direction : undefined;
}

function spelled(path: Path): string {
  return 'lineNo' in path ? `lines[${path.lineNo}].${path.name}` : path.name;
}

function valueAt(target: RecordedEvent, path: Path): Shown {
  if ('lineNo' in path) {
    const value = target.effective.lines[path.lineNo]?.[path.name] ?? null;
    return typeof value === 'bigint' ? toNumber(value) : value;
  }
  if (path.name === 'status') return target.voided ? 'voided' : 'accepted';
  return target.effective[path.name];
}

/** Numbers and instants are compared by value. */
function isSame(name: Path['name'], now: Shown, claimed: Shown): boolean {
  // Neither a quantity nor an instant begins otherwise, so nothing else is the same as one.
  if (now === null || claimed === null || !/^\d/.test(String(claimed))) return now === claimed;
  if (name === 'quantity') return toDecimal(Number(now)) === toDecimal(Number(claimed));
  if (name !== 'occurred_at') return now === claimed;
  return compareInstants(utcText(String(now)), utcText(String(claimed))) === 0;
}
