// Texts of any length and content become a notification that the interface would take.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import { IngestSchema, type IngestBody } from '../ingest/ingest-schema.ts';
import { sentProblems } from '../sent-members.ts';
import { fitted, type Unfitted } from './fitted.ts';

const check = compileValueSchema<IngestBody>(IngestSchema);

function fit(changes: Partial<Unfitted>): IngestBody {
  return fitted({ title: 'A', titleElse: 'An alert', severity: 'info', links: [], ...changes });
}

const FIRE = '\u{1F525}';

for (const character of ['x', FIRE]) {
  test(`a title of 120 ${character} stays, and one of 121 is cut to 119 and an ellipsis`, () => {
    const [whole, long] = [character.repeat(120), character.repeat(121)];

    const [kept, cut] = [fit({ title: whole, body: 'B' }), fit({ title: long, body: 'B' })];

    assert.deepEqual([kept.title, kept.body], [whole, 'B']);
    assert.deepEqual([cut.title, cut.body], [`${character.repeat(119)}…`, `${long}\n\nB`]);
  });

  test(`a body of 4,000 ${character} stays, and one of 4,001 is cut`, () => {
    const [whole, long] = [character.repeat(4_000), character.repeat(4_001)];

    assert.equal(fit({ body: whole }).body, whole);
    assert.equal(fit({ body: long }).body, `${character.repeat(3_999)}…`);
  });
}

test('the first line that shows something is the title, and what follows is before the body', () => {
  const { title, body } = fit({ title: ' \n\u200b\r\n Oven 3 \nis hot\n', body: 'B' });

  assert.deepEqual([title, body], ['Oven 3', 'is hot\n\nB']);
});

for (const title of [undefined, '', ' \n ', '\u200b'.repeat(121), `${'\u200b'.repeat(119)}xx`]) {
  test(`a title that shows nothing is a word of ours: ${JSON.stringify(title)?.slice(0, 20)}`, () => {
    assert.equal(fit({ title }).title, 'An alert');
  });
}

test('a title whose beginning shows nothing is in the body', () => {
  const { title, body } = fit({ title: `${'\u200b'.repeat(119)}Oven 3` });

  assert.deepEqual([title, body], ['An alert', `${'\u200b'.repeat(119)}Oven 3`]);
});

test('what cannot be stored becomes the replacement character', () => {
  const { title, body } = fit({ title: 'a\0b', body: 'c\ud800d' });

  assert.deepEqual([title, body], ['a\ufffdb', 'c\ufffdd']);
});

test('the first link that is one is taken, others are left out', () => {
  const links = [undefined, '', 'javascript:alert(1)', `https://a.example/${'x'.repeat(2_000)}`];

  assert.equal(fit({ links }).url, undefined);
  assert.equal(fit({ links: [...links, 'http://b.example/'] }).url, 'http://b.example/');
});

test('a key that is too long stays another one than any other, and status needs a key', () => {
  const long = 'k'.repeat(256);

  const one = fit({ dedupKey: `${long}1`, status: 'firing' });
  const other = fit({ dedupKey: `${long}2`, status: 'firing' });
  const none = fit({ dedupKey: ' ', status: 'firing' });

  assert.notEqual(one.dedup_key, other.dedup_key);
  assert.equal(one.status, 'firing');
  assert.deepEqual([none.dedup_key, none.status], [undefined, undefined]);
});

test('whatever a sender says, the interface would take what becomes of it', () => {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc.string({ unit: fc.constantFrom('\0', '\ud800', '\u200b', '\n', 'x', FIRE), maxLength: 300 }),
  );
  fc.assert(
    fc.property(text, text, text, text, (title, body, link, dedupKey) => {
      const content = fit({
        title,
        body: body.repeat(20),
        links: [link],
        dedupKey,
        status: 'firing',
      });

      assert.equal(check(content).kind, 'valid');
      assert.deepEqual(sentProblems(content), []);
    }),
    { numRuns: 100 },
  );
});
