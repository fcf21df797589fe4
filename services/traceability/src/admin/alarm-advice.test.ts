// Each code of a finding has advice, the same for all codes of a row in docs/operating.md.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ADVICE_COMMANDS, adviceFor } from './alarm-advice.ts';

const DOCUMENT = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
const [, CHAPTER = ''] = DOCUMENT.split('### When the chain does not verify');
const [TABLE = ''] = CHAPTER.split('\n### ');
const ROWS = [...TABLE.matchAll(/^\| (`\w+`(?:, `\w+`)*) +\| (?:.+?) +\| (.+?) +\|$/gm)].map(
  ([, codes = '', toDo = '']) => ({ codes: [...codes.matchAll(/\w+/g)].map(String), toDo }),
);

test('all codes of a row of the operating guide have one advice', () => {
  assert.ok(ROWS.length > 20);
  for (const { codes } of ROWS) {
    const advice = new Set(codes.map(adviceFor));
    assert.equal(advice.size, 1, codes.join(' '));
    assert.ok(!advice.has(undefined), codes.join(' '));
  }
});

test('a row that says to rebuild, or to accept, has the command of it', () => {
  for (const { codes, toDo } of ROWS) {
    const advice = adviceFor(codes[0] ?? '');
    const command = advice === undefined ? undefined : ADVICE_COMMANDS[advice];
    if (/^\[Rebuild\]/.test(toDo)) assert.match(command ?? '', /^lothub rebuild/);
    if (/`lothub log accept`/.test(toDo)) assert.equal(command, 'lothub log accept');
    if (/^If you .*`lothub verify --accept-tip`/.test(toDo)) {
      assert.equal(command, 'lothub verify --accept-tip');
    }
  }
});

test('a code that this version does not know has no advice', () => {
  assert.deepEqual(['', 'constructor', 'no_such_code'].map(adviceFor), [
    undefined,
    undefined,
    undefined,
  ]);
});
