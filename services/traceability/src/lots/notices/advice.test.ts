// The advice to consumers, by severity and state of a case.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CASE_STATUSES, SEVERITIES } from '../../terms.ts';
import { chooseAdvice } from './advice.ts';

const BRAND = { brandName: 'Old Mill Bakery', recallContact: null, website: null };

test('every severity has an advice of its own, in one sentence', () => {
  const advices = SEVERITIES.map((severity) =>
    chooseAdvice({ ...BRAND, severity, status: 'notification' }),
  );

  assert.equal(new Set(advices).size, SEVERITIES.length);
  for (const advice of advices) assert.match(advice, /^[A-Z][^.]*\.$/);
});

test('whatever is looked into is not to be used, however little is known of it', () => {
  for (const status of CASE_STATUSES) {
    const advice = chooseAdvice({ ...BRAND, severity: 'unclassified', status });

    assert.match(advice, /^Do not use/);
    assert.equal(advice.includes('until it is known'), status === 'investigation');
  }
});

test('the brand is named with the ways to reach it that it has given', () => {
  const at = { severity: 'class_i', status: 'containment' } as const;
  const contact = { recallContact: '0800 111', website: 'https://bakery.example' };

  assert.match(chooseAdvice({ ...at, ...BRAND }), /; ask Old Mill Bakery, or where you got them/);
  assert.match(
    chooseAdvice({ ...at, ...BRAND, ...contact }),
    /ask Old Mill Bakery \(0800 111, https:\/\/bakery\.example\), or where/,
  );
  assert.match(chooseAdvice({ ...at, ...BRAND, recallContact: '0800 111' }), / \(0800 111\),/);
});
