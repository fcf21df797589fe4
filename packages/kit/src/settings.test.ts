// Reading settings: every wrong one is named at once, and none is echoed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SettingsError, SettingsReader } from './settings.ts';

test('what is unset or empty takes its default', () => {
  const reader = new SettingsReader({ EMPTY: '' });

  assert.equal(reader.text('EMPTY', 'a'), 'a');
  assert.equal(reader.text('UNSET', 'a'), 'a');
  assert.equal(reader.integer('EMPTY', 7, { min: 0, max: 9 }), 7);
  assert.equal(reader.oneOf('EMPTY', 'b', ['a', 'b']), 'b');
  assert.equal(
    reader.checkedText('EMPTY', () => false, 'anything'),
    undefined,
  );
  reader.done();
});

test('what is given is read', () => {
  const reader = new SettingsReader({ TEXT: ' x ', COUNT: '007', WORD: 'b' });

  assert.equal(reader.text('TEXT', 'a'), ' x ');
  assert.equal(reader.integer('COUNT', 1, { min: 0, max: 9 }), 7);
  assert.equal(reader.oneOf('WORD', 'a', ['a', 'b']), 'b');
  reader.done();
});

for (const value of ['10', '-1', '1.5', '1e1', ' 1', '0x1', 'one', '1'.repeat(16), '١']) {
  test(`${JSON.stringify(value)} is no whole number from 0 to 9`, () => {
    const reader = new SettingsReader({ COUNT: value });

    const read = reader.integer('COUNT', 3, { min: 0, max: 9 });

    assert.equal(read, 3);
    assert.throws(() => reader.done(), SettingsError);
  });
}

test('all wrong settings are reported at once, one line each, without their values', () => {
  const reader = new SettingsReader({ COUNT: 'secret-1', WORD: 'secret-2', KEY: 'secret-3' });
  reader.integer('COUNT', 1, { min: 0, max: 9 });
  reader.oneOf('WORD', 'a', ['a', 'b']);
  reader.checkedText('KEY', () => false, 'a longer one');
  reader.reject('OTHER', 'no value');

  assert.throws(
    () => reader.done(),
    (error) => {
      assert.ok(error instanceof SettingsError);
      assert.equal(error.code, 'settings_invalid');
      assert.deepEqual(error.problems, [
        'COUNT is not usable: give a whole number from 0 to 9, or leave it unset',
        'WORD is not usable: give one of a, b, or leave it unset',
        'KEY is not usable: give a longer one, or leave it unset',
        'OTHER is not usable: give no value, or leave it unset',
      ]);
      assert.equal(error.message, error.problems.join('\n'));
      return true;
    },
  );
});
