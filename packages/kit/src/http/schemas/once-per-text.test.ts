// Schemas of one text are compiled once, whatever object says it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oncePerText } from './once-per-text.ts';

test('schemas of the same text are compiled once, and others by themselves', () => {
  const compiled: object[] = [];
  const compile = oncePerText((schema: object) => compiled.push(schema));

  const made = [{ type: 'null' }, { type: 'null' }, { type: 'object' }].map(compile);

  assert.deepEqual(made, [1, 1, 2]);
  assert.deepEqual(compiled, [{ type: 'null' }, { type: 'object' }]);
});
