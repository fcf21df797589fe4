// The serial numbers of a sheet, from the first to the last. Pure.
import { FieldsRefusal } from '../errors.ts';

/**
 * All numbers between two, with the digits of the first: `08` to `10` are `08`, `09`, `10`. Undefined without a first
 * one.
 * @throws FieldsRefusal when one end is missing, they are in another order or are too far apart
 */
export function serialsBetween(asked: {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly max: number;
}): readonly string[] | undefined {
  const { from, to, max } = asked;
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined || to === undefined) {
    const missing = from === undefined ? 'serial_from' : 'serial_to';
    throw FieldsRefusal.of(['query', missing], 'Both ends are needed', 'missing');
  }
  const count = Number(to) - Number(from) + 1;
  const last = ['query', 'serial_to'];
  if (from.length !== to.length && (from.startsWith('0') || to.startsWith('0'))) {
    throw FieldsRefusal.of(last, 'Both ends should have as many digits', 'value_error');
  }
  if (count < 1) throw FieldsRefusal.of(last, 'The last is before the first', 'value_error');
  if (count > max) {
    throw FieldsRefusal.of(last, `At most ${max} serial numbers make a sheet`, 'too_long');
  }
  return Array.from({ length: count }, (_, index) =>
    String(Number(from) + index).padStart(from.length, '0'),
  );
}
