// The faults of a correction before its event is read: shape and new values, with the words and
// limits of posting an event.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRequest } from './check-request.ts';

const CHANGE = { field: 'location', old_value: 'DOCK-1', new_value: 'DOCK-2' };
const REQUEST = {
  corrects_event_id: 1,
  reason: 'typing error',
  requested_by: 'Jane Miller',
  changes: [CHANGE],
};

/** `loc: type` of every error, without the leading `body`. */
function listErrors(body: unknown): readonly string[] {
  const checked = checkRequest(body);
  if (checked.kind === 'valid') return [];
  return checked.errors.map(({ loc, type }) => {
    assert.equal(loc[0], 'body');
    return `${loc.slice(1).join('.')}: ${type}`;
  });
}

const errorsOfChange = (change: unknown) => listErrors({ ...REQUEST, changes: [change] });

test('a request of all four members is valid and is handed on as it came', () => {
  const checked = checkRequest(REQUEST);

  assert.deepEqual(checked, { kind: 'valid', request: REQUEST });
});

test('every missing member is named', () => {
  assert.deepEqual(listErrors({}), [
    'corrects_event_id: missing',
    'reason: missing',
    'requested_by: missing',
    'changes: missing',
  ]);
});

test('a change without its field is named', () => {
  assert.deepEqual(errorsOfChange({ new_value: 'x' }), ['changes.0.field: missing']);
});

for (const [what, body] of [
  ['null', null],
  ['a list', [REQUEST]],
  ['a text', 'x'],
  ['nothing', undefined],
] as const) {
  test(`a body that is ${what} is no request`, () => {
    assert.deepEqual(listErrors(body), [': dict_type']);
  });
}

const BODIES: readonly (readonly [string, object, readonly string[]])[] = [
  ['an unknown member', { colour: 'red' }, ['colour: extra_forbidden']],
  ['a member __proto__', JSON.parse('{"__proto__":1}') as object, ['__proto__: extra_forbidden']],
  ['an event id of 0', { corrects_event_id: 0 }, ['corrects_event_id: greater_than_equal']],
  ['an event id as text', { corrects_event_id: '1' }, ['corrects_event_id: int_type']],
  ['a fraction as event id', { corrects_event_id: 1.5 }, ['corrects_event_id: int_type']],
  ['no reason', { reason: '' }, ['reason: string_too_short']],
  ['a reason of 2,000 characters', { reason: 'x'.repeat(2_000) }, []],
  ['a longer reason', { reason: 'x'.repeat(2_001) }, ['reason: string_too_long']],
  ['a reason with NUL', { reason: 'a\0b' }, ['reason: string_unicode']],
  ['a reason with half a character', { reason: '\ud800' }, ['reason: string_unicode']],
  ['null as reason', { reason: null }, ['reason: string_type']],
  ['nobody', { requested_by: '' }, ['requested_by: string_too_short']],
  ['a name of 200 characters', { requested_by: 'x'.repeat(200) }, []],
  ['a longer name', { requested_by: 'x'.repeat(201) }, ['requested_by: string_too_long']],
  ['a name with NUL', { requested_by: '\0' }, ['requested_by: string_unicode']],
  ['a number as name', { requested_by: 5 }, ['requested_by: string_type']],
  ['no change', { changes: [] }, ['changes: too_short']],
  ['changes that are no list', { changes: CHANGE }, ['changes: list_type']],
  ['1,000 changes', { changes: Array.from({ length: 1_000 }, () => CHANGE) }, []],
  ['more changes', { changes: Array.from({ length: 1_001 }, () => CHANGE) }, ['changes: too_long']],
  ['a change that is a text', { changes: ['location'] }, ['changes.0: dict_type']],
  ['a change that is null', { changes: [CHANGE, null] }, ['changes.1: dict_type']],
];

for (const [what, members, errors] of BODIES) {
  test(`${what}: ${errors.join(', ') || 'valid'}`, () => {
    assert.deepEqual(listErrors({ ...REQUEST, ...members }), errors);
  });
}

const CHANGES: readonly (readonly [string, object, readonly string[]])[] = [
  ['an unknown member', { colour: 'red' }, ['colour: extra_forbidden']],
  ['a field that is no text', { field: 7 }, ['field: string_type']],
  ['an empty field', { field: '' }, ['field: string_too_short']],
  ['a field of 201 characters', { field: 'x'.repeat(201) }, ['field: string_too_long']],
  ['a field with NUL', { field: 'loc\0ation' }, ['field: string_unicode']],
  ['an old value of null', { old_value: null }, []],
  ['no old value', { old_value: undefined }, []],
  ['an old value that is a number', { old_value: 5.5 }, []],
  ['an empty old value', { old_value: '' }, []],
  ['an old value of 2,000 characters', { old_value: 'x'.repeat(2_000) }, []],
  ['a longer old value', { old_value: 'x'.repeat(2_001) }, ['old_value: string_too_long']],
  ['an old value with NUL', { old_value: 'a\0' }, ['old_value: string_unicode']],
  ['an old value that is true', { old_value: true }, ['old_value: type_error']],
  ['an old value that is a list', { old_value: ['DOCK-1'] }, ['old_value: type_error']],
  ['an old value that is an object', { old_value: {} }, ['old_value: type_error']],
  ['an old value rounded by a double', { old_value: Infinity }, ['old_value: decimal_max_digits']],
  // An unknown field has no rule to break, but its value must be a value.
  ['any new value of an unknown field', { field: 'colour', new_value: 'x\0'.repeat(2_000) }, []],
  ['a list for an unknown field', { field: 'colour', new_value: [] }, ['new_value: type_error']],
  ['a list for a fixed field', { field: 'event_type', new_value: [] }, ['new_value: type_error']],
];

for (const [what, members, errors] of CHANGES) {
  test(`a change with ${what}: ${errors.join(', ') || 'valid'}`, () => {
    assert.deepEqual(
      errorsOfChange({ ...CHANGE, ...members }),
      errors.map((error) => `changes.0.${error}`),
    );
  });
}

/** Fields of a line that must have a value, and the most characters they may have. */
const REQUIRED = [
  ['location', 200],
  ['reference', 200],
  ['lines[0].lot_code', 100],
  ['lines[0].product_sku', 100],
  ['lines[0].unit', 20],
] as const;
const OPTIONAL = [
  ['notes', 2_000],
  ['lines[0].customer_ref', 200],
  ['lines[0].channel', 200],
  ['lines[0].supplier_name', 200],
  ['lines[0].origin_facility', 200],
  ['lines[0].supplier_lot_code', 200],
] as const;

/** Returns the types of the errors of a new value. */
const newErrors = (field: string, value: unknown) =>
  errorsOfChange({ field, old_value: 'x', new_value: value }).map((error) => {
    assert.ok(error.startsWith('changes.0.new_value: '), error);
    return error.slice('changes.0.new_value: '.length);
  });

for (const [field, lengthMax] of [...REQUIRED, ...OPTIONAL]) {
  test(`${field} may become any text of 1 to ${lengthMax} characters`, () => {
    assert.deepEqual(newErrors(field, 'x'), []);
    assert.deepEqual(newErrors(field, 'x'.repeat(lengthMax)), []);
    assert.deepEqual(newErrors(field, '\u{1F35E}'.repeat(lengthMax)), []);
    assert.deepEqual(newErrors(field, 'x'.repeat(lengthMax + 1)), ['string_too_long']);
    assert.deepEqual(newErrors(field, ''), ['string_too_short']);
    assert.deepEqual(newErrors(field, 'a\0b'), ['string_unicode']);
    assert.deepEqual(newErrors(field, '\udc00'), ['string_unicode']);
    assert.deepEqual(newErrors(field, 5), ['string_type']);
    assert.deepEqual(newErrors(field, true), ['string_type']);
    assert.deepEqual(newErrors(field, {}), ['string_type']);
  });
}

for (const [field] of REQUIRED) {
  test(`${field} cannot be taken away`, () => {
    assert.deepEqual(newErrors(field, null), ['string_type']);
    assert.deepEqual(newErrors(field, undefined), ['string_type']);
  });
}

for (const [field] of OPTIONAL) {
  test(`${field} can be taken away`, () => {
    assert.deepEqual(newErrors(field, null), []);
    assert.deepEqual(newErrors(field, undefined), []);
  });
}

const NEW_VALUES: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['occurred_at', '2026-03-02T07:15:00+01:00', []],
  ['occurred_at', '2026-03-02T07:15:00', []],
  ['occurred_at', '2026-03-02', ['datetime_parsing']],
  ['occurred_at', '2026-02-30T00:00:00Z', ['datetime_parsing']],
  ['occurred_at', '2026-03-02T25:00:00Z', ['datetime_parsing']],
  ['occurred_at', 'yesterday', ['datetime_parsing']],
  ['occurred_at', '', ['string_too_short']],
  ['occurred_at', 'x'.repeat(65), ['string_too_long']],
  ['occurred_at', null, ['string_type']],
  ['occurred_at', 1_772_000_000, ['string_type']],
  ['lines[0].direction', 'in', []],
  ['lines[0].direction', 'out', []],
  ['lines[0].direction', 'up', ['enum']],
  ['lines[0].direction', null, ['enum']],
  ['lines[0].quantity', 0, []],
  ['lines[0].quantity', 0.000_5, []],
  ['lines[0].quantity', 999_999_999_999_999, []],
  ['lines[0].quantity', 1_000_000_000_000_000, ['less_than_equal']],
  ['lines[0].quantity', -1, ['greater_than_equal']],
  ['lines[0].quantity', 1 / 3, ['decimal_max_digits']],
  ['lines[0].quantity', Infinity, ['decimal_max_digits']],
  ['lines[0].quantity', '5', ['float_type']],
  ['lines[0].quantity', null, ['float_type']],
  ['status', 'voided', []],
  ['status', 'accepted', []],
  ['status', 'corrected', ['enum']],
  ['status', 'deleted', ['enum']],
  ['status', null, ['enum']],
];

for (const [field, value, errors] of NEW_VALUES) {
  test(`${field} to ${JSON.stringify(value)}: ${errors.join(', ') || 'valid'}`, () => {
    assert.deepEqual(newErrors(field, value), errors);
  });
}

for (const field of ['lines.0.quantity', '/lines/0/quantity', 'quantity']) {
  test(`${field} obeys the rule of quantities`, () => {
    assert.deepEqual(newErrors(field, -1), ['greater_than_equal']);
  });
}

test('a new value is refused in the words of posting', () => {
  const checked = checkRequest({
    ...REQUEST,
    changes: [{ field: 'quantity', old_value: 1, new_value: -1 }],
  });

  assert.deepEqual(checked, {
    kind: 'invalid',
    errors: [
      {
        loc: ['body', 'changes', 0, 'new_value'],
        msg: 'Input should be greater than or equal to 0',
        type: 'greater_than_equal',
      },
    ],
  });
});

test('errors of shape and of values are named at once', () => {
  const errors = listErrors({
    corrects_event_id: 0,
    reason: '',
    changes: [
      { field: 'occurred_at', old_value: [], new_value: 'never' },
      { field: 'location', new_value: null, colour: 'red' },
      { new_value: {} },
    ],
    colour: 'red',
  });

  assert.deepEqual(errors.toSorted(), [
    'changes.0.new_value: datetime_parsing',
    'changes.0.old_value: type_error',
    'changes.1.colour: extra_forbidden',
    'changes.1.new_value: string_type',
    'changes.2.field: missing',
    'changes.2.new_value: type_error',
    'colour: extra_forbidden',
    'corrects_event_id: greater_than_equal',
    'reason: string_too_short',
    'requested_by: missing',
  ]);
});

test('of thousands of errors 1,000 are named', () => {
  const changes = Array.from({ length: 1_000 }, () => ({
    field: '',
    old_value: [],
    new_value: {},
  }));

  assert.equal(listErrors({ ...REQUEST, changes }).length, 1_000);
});

test('no error repeats what was sent', () => {
  const checked = checkRequest({
    ...REQUEST,
    requested_by: 'secret\0',
    changes: [{ field: 'secret\0', old_value: 'secret\0', new_value: ['secret'] }],
  });

  assert.equal(checked.kind, 'invalid');
  assert.ok(!JSON.stringify(checked).includes('secret'));
});
