// The check of an edit of a recall case accepts sealed edits and refuses everything else; and the
// summary of its block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isPayload } from '../payload-shape.ts';
import type { RecallDecision } from './contents.ts';
import { summaryOfRecall } from './recall.ts';

const EDIT: RecallDecision = {
  at: '2026-03-02T06:15:00.000Z',
  auto_hold: true,
  case_no: 'RC-2026-0001',
  change: 'edited',
  direction: 'both',
  part: 1,
  parts: 1,
  reason: 'A sieve broke',
  seed: { lot_code: 'FLOUR', type: 'lot' },
  severity: 'class_i',
  state: 'notification',
  step: 4,
  title: 'Metal in bread',
};

const WORDED = { ...EDIT, was: { wording: {} }, wording: { language: 'en' } };

const payload = (decision: unknown) => ({
  brand: 'bakery',
  decision,
  recorded_at: '2026-03-02T06:15:01.000Z',
  type: 'recall',
  v: 2,
});

for (const [what, decision] of [
  ['texts', { ...EDIT, was: { title: 'Glass', reason: 'none', severity: 'class_ii' } }],
  ['lots', { ...EDIT, added: ['RYE'], excluded: ['BREAD'], restored: ['ROLLS'] }],
  ['nothing else of a further part', EDIT],
  ['languages', { ...EDIT, was: { wording: {} }, wording: { language: 'en' } }],
  ['languages that are taken back', { ...EDIT, was: { wording: { language: 'en' } } }],
] as const) {
  test(`an edit of ${what}: a payload`, () => {
    assert.equal(isPayload(payload(decision)), true);
  });
}

for (const [what, decision] of [
  ['a member that there is not', { ...EDIT, note: 'x' }],
  ['no text that it replaced', { ...EDIT, was: {} }],
  ['a text that no edit replaces', { ...EDIT, was: { direction: 'both' } }],
  ['a severity that there is not', { ...EDIT, was: { severity: 'class_iv' } }],
  ['languages that replace none', { ...EDIT, wording: { language: 'en' } }],
  ['an empty wording', { ...EDIT, was: { wording: {} }, wording: {} }],
  ['a wording of a further part', { ...WORDED, part: 2, parts: 2 }],
  ['languages, of a move', { ...EDIT, change: 'moved', wording: { language: 'en' } }],
  ['no translation', { ...WORDED, wording: { translations: {} } }],
  ['a translation without texts', { ...WORDED, wording: { translations: { de: {} } } }],
  ['another text', { ...WORDED, wording: { translations: { de: { note: 'x' } } } }],
  ['a number for a text', { ...WORDED, wording: { translations: { de: { title: 1 } } } }],
  ['an empty list', { ...EDIT, added: [] }],
  ['a lot twice', { ...EDIT, excluded: ['RYE', 'RYE'] }],
  ['too many lots', { ...EDIT, restored: Array.from({ length: 1_001 }, (_, n) => `L-${n}`) }],
  ['what only an edit says, of a move', { ...EDIT, change: 'moved', was: { title: 'Glass' } }],
  ['lots by hand, of a widening', { ...EDIT, change: 'widened', added: ['RYE'] }],
] as const) {
  test(`an edit with ${what}: no payload`, () => {
    assert.equal(isPayload(payload(decision)), false);
  });
}

test('the words of an edit say what was changed from what, and how many lots by hand', () => {
  const edit: RecallDecision = {
    ...EDIT,
    was: { title: 'Glass', severity: 'class_ii' },
    added: ['RYE'],
    excluded: ['BREAD', 'CAKE'],
    entered: [{ lot: 'RYE', relation: 'self', distance: 0 }],
    left: ['BREAD'],
  };

  assert.equal(
    summaryOfRecall(edit, 'bakery'),
    'Recall RC-2026-0001 of bakery edited, title “Glass” → “Metal in bread”, ' +
      'severity “class_ii” → “class_i”, 1 lot added by hand, 2 lots excluded by hand, ' +
      '1 lot entered, 1 lot left',
  );
});
