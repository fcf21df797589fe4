// The page of a lot with what an ordinary lot does not have: recall notices, holds, a story cut short.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_NOTICE } from '../lots/notice-schema.ts';
import type { Verification } from '../verification/schema.ts';
import { lotPage } from './lot-page.ts';

const LOT: Verification = {
  verified: true,
  brand: { id: 'bakery', name: 'Old Mill Bakery' },
  lot: {
    lot_code: 'BREAD-1',
    product_sku: 'RYE-750',
    status: 'active',
    hold_status: 'released',
  },
  journey_title: 'From a to b',
  steps: [],
  channels_reached: [],
  notices: [],
  ledger: { chain_id: 'c', height: 1, tip_hash: 't', blocks: 2, chain_valid: true },
  trust: {
    statement: 'What is proven.',
    data_owner: 'Old Mill Bakery',
    hub: 'Lothub',
    chain_valid: true,
    tip_hash: 't',
  },
  proof: [],
  other_brands: [],
  truncated: false,
};

function textWith(changes: Partial<Verification>): string {
  return lotPage({ ...LOT, ...changes }).body.text.replace(/\s+/g, ' ');
}

test('a notice says what to do, escaped, and nothing else of its case', () => {
  const notice = {
    ...EXAMPLE_NOTICE,
    title: 'Glass in <bread>',
    advice: 'Do not eat it.',
    opened_at: '2026-03-05T10:00:00.000Z',
    opened_by: 'J. Doe',
  };

  const text = textWith({ notices: [notice] });

  assert.match(text, /Recall: <a [^>]*><bdi>Glass in &lt;bread&gt;<\/bdi><\/a> <\/h3>/);
  assert.match(text, /<strong><bdi>Do not eat it\.<\/bdi><\/strong>/);
  assert.match(text, /RC-2026-0001, since <time [^>]*>2026-03-05 10:00 UTC<\/time>/);
  assert.doesNotMatch(text, /J\. Doe|There is no open recall notice/);
});

test('a notice of many lots shows some, and leads to all', () => {
  const lotCodes = Array.from({ length: 100 }, (_, index) => `BREAD-${index}`);
  const notice = { ...EXAMPLE_NOTICE, lot_codes: lotCodes, lots_total: 4_711, products_total: 30 };

  const text = textWith({ notices: [notice] });

  assert.match(text, /<a href="\/recalls\/RC-2026-0001"\s*>4701 more<\/a\s*>/);
  assert.match(text, /<code>RYE-750<\/code> and 28 more/);
  assert.equal(text.match(/href="\/lot\/BREAD-/g)?.length, 10);
});

test('a recalled lot on hold is told so in words', () => {
  const text = textWith({ lot: { ...LOT.lot, status: 'recalled', hold_status: 'on_hold' } });

  assert.match(text, /Status: recalled, on hold, not to be used until it is released\./);
});

test('lots of one event are one entry of the journey, events apart are several', () => {
  const step = {
    event_type: 'PRODUCE',
    occurred_at: '2026-03-02T06:15:00Z',
    location: 'BAKERY-1',
    product_sku: 'S',
    lot_code: 'FLOUR-1',
    note: null,
    channel: null,
  };

  const together = textWith({ steps: [step, { ...step, lot_code: 'BREAD-1' }] });
  const apart = textWith({ steps: [step, { ...step, location: 'BAKERY-2' }] });

  assert.equal(together.match(/<li>/g)?.length, 1);
  assert.equal(apart.match(/<li>/g)?.length, 2);
});

test('a story that was cut short says so', () => {
  assert.match(textWith({ truncated: true }), /There is more about this lot than this page shows/);
  assert.doesNotMatch(textWith({}), /There is more about this lot/);
});
