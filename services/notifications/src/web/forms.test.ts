// What forms send, and how they are shown again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../errors.ts';
import type { FieldProblem } from '@lothub/kit/http/field-problems';
import { endOfDay, parseNumber, readFormValues, refusedForm } from './forms.ts';

function refusal(...fields: readonly FieldProblem[]): Problem {
  return new Problem('fields_invalid', 'Wrong', { fields });
}

test('of a field that came twice the last counts', () => {
  const body = { name: ['a', 'b'], role: 'owner', odd: { not: 'text' } };

  assert.deepEqual(readFormValues(body), { name: 'b', role: 'owner', odd: '' });
  assert.deepEqual(readFormValues(undefined), {});
});

test('numbers and days are read as they are typed, and what is none is left to its schema', () => {
  assert.deepEqual([' 42 ', '-1', '4.2', 'many', ' '].map(parseNumber), [
    42,
    -1,
    '4.2',
    'many',
    undefined,
  ]);
  assert.equal(endOfDay('2027-01-31'), '2027-01-31T23:59:59Z');
  assert.equal(endOfDay(''), undefined);
  assert.equal(endOfDay('soon'), 'soon');
});

test('errors are given by the names of their fields, the first of each', () => {
  const error = refusal(
    { pointer: '/person/name', code: 'too_long', limit: 100, actual: 120 },
    { pointer: '/person/name', code: 'blank', limit: null, actual: null },
    { pointer: '/retention_days', code: 'too_small', limit: 1, actual: null },
  );

  const refused = refusedForm(error, { name: 'x' });

  assert.equal(refused?.status, 422);
  assert.deepEqual(refused.form.errors, {
    name: 'Please use at most 100 characters.',
    retention_days: 'It must be at least 1.',
  });
});

test('no password is sent back', () => {
  const values = { name: 'Ada', password: 'a', old_password: 'b', new_password: 'c' };

  const refused = refusedForm(refusal(), values);

  assert.deepEqual(refused?.form.values, { name: 'Ada' });
});

test('what no form can mend is left to the page of errors', () => {
  assert.equal(refusedForm(new Problem('not_found', 'Nothing'), {}), undefined);
  assert.equal(refusedForm(new Error('broken'), {}), undefined);
});
