// The page of a lot with what an ordinary lot does not have: recall notices, holds, a story cut short.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_NOTICE } from '../../lots/notices/schema.ts';
import type { Verification } from '../../verification/schema.ts';
import type { VerifiedLot } from '../../verification/verify-lot.ts';
import { lotPage } from './lot-page.ts';
import { readerIn } from '../words/reader.ts';

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
  decisions: [],
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

const NO_CONTACT = { recallContact: null, website: null };

function textWith(
  changes: Partial<Verification>,
  page: Partial<Pick<VerifiedLot, 'contact' | 'events' | 'products' | 'unverified'>> = {},
): string {
  const answer = { ...LOT, ...changes };
  const events = (changes.steps ?? []).map((step) => [step] as const);
  const verified = {
    answer,
    events,
    products: new Map(),
    contact: NO_CONTACT,
    decided: { blocks: [], steps: new Map() },
    unverified: [],
    ...page,
  };
  return lotPage(verified, { standing: { kind: 'off' } }, readerIn('en')).body.text.replace(
    /\s+/g,
    ' ',
  );
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

  assert.match(text, /Recall: <a [^>]*><bdi lang="">Glass in &lt;bread&gt;<\/bdi><\/a\s*> <\/h3>/);
  assert.match(
    text,
    /<strong>Do not eat or use the products concerned: they may cause temporary harm\.<\/strong>/,
  );
  assert.match(text, /RC-2026-0001, since <time [^>]*>5 March 2026 at 10:00 UTC<\/time>/);
  assert.doesNotMatch(text, /J\. Doe|There is no open recall notice/);
});

test('a notice of many lots shows some, and leads to all', () => {
  const lotCodes = Array.from({ length: 100 }, (_, index) => `BREAD-${index}`);
  const notice = { ...EXAMPLE_NOTICE, lot_codes: lotCodes, lots_total: 4_711, products_total: 30 };

  const text = textWith({ notices: [notice] });

  assert.match(text, /<a href="\/recalls\/RC-2026-0001"\s*>and 4,701 more<\/a\s*>/);
  assert.match(text, /<code>RYE-750<\/code> and 28 more/);
  assert.equal(text.match(/href="\/lot\/BREAD-/g)?.length, 10);
});

test('a recalled lot on hold is said to be so in words', () => {
  const text = textWith({ lot: { ...LOT.lot, status: 'recalled', hold_status: 'on_hold' } });

  assert.match(
    text,
    /<dt>Status<\/dt> <dd>recalled, on hold, not to be used until it is released</,
  );
});

const STEP = {
  event_type: 'PRODUCE',
  occurred_at: '2026-03-02T06:15:00Z',
  location: 'BAKERY-1',
  product_sku: 'S',
  lot_code: 'FLOUR-1',
  note: null,
  channel: null,
};

/** Counts the items in the fold of all events. */
function countEntries(text: string): number | undefined {
  return /<ol class="journey">(.*?)<\/ol>/.exec(text)?.[1]?.match(/<li>/g)?.length;
}

test('an entry of the journey is one event with its lots, however like another one it is', () => {
  const bread = { ...STEP, lot_code: 'BREAD-1' };
  const steps = [STEP, bread, STEP, bread];

  const one = textWith({ steps }, { events: [[STEP, bread]] });
  const two = textWith(
    { steps },
    {
      events: [
        [STEP, bread],
        [STEP, bread],
      ],
    },
  );

  assert.equal(countEntries(one), 1);
  assert.equal(one.match(/Source lot/g)?.length, 1);
  assert.equal(countEntries(two), 2);
});

test('one sale of a lot in two classes is one entry that names both', () => {
  const sale = { ...STEP, event_type: 'SELL', lot_code: 'BREAD-1', channel: 'retail' };
  const steps = [sale, { ...sale, channel: 'online' }] as const;

  const text = textWith({ steps: [...steps] }, { events: [steps] });

  assert.match(text, /Sale<\/strong> at <bdi>BAKERY-1<\/bdi>, through shops and online shops/);
});

const TAMPERED: Partial<Verification> = {
  verified: false,
  ledger: { ...LOT.ledger, chain_valid: false },
};
const BROKEN = { unverified: [4, 7] };

test('of a lot with blocks that do not verify nothing is said that would reassure', () => {
  const text = textWith(TAMPERED, BROKEN);

  assert.match(text, /Not verified\./);
  assert.match(
    text,
    /that do not verify: <a [^>]*>Block 4<\/a> and <a [^>]*>Block 7<\/a>\. What they said cannot be/,
  );
  assert.match(text, /Whether this lot is recalled cannot be seen from here\. Ask/);
  assert.match(text, /No step of this lot can be read from a block that verifies/);
  assert.doesNotMatch(
    text,
    /no open recall notice|[Cc]orrections|No sale with a known channel has been|in circulation|not on hold|✓|From a to b/,
  );
});

test('of a lot with blocks that do not verify the steps that do are shown, and said to be a part', () => {
  const text = textWith({ ...TAMPERED, steps: [STEP] }, BROKEN);

  assert.match(text, /These steps are in blocks that verify\. Others may be missing\./);
  assert.match(text, /Source lot/);
  assert.doesNotMatch(text, /From a to b/);
});

test('a known recall, hold or recalled status of a lot that is not verified is shown', () => {
  const text = textWith(
    {
      ...TAMPERED,
      notices: [EXAMPLE_NOTICE],
      lot: { ...LOT.lot, status: 'recalled', hold_status: 'on_hold' },
    },
    BROKEN,
  );

  assert.match(text, /Recall: <a /);
  assert.match(text, /Whether there are further recalls of this lot cannot be seen from here/);
  assert.match(text, /<dt>Status<\/dt> <dd>recalled, on hold, not to be used/);
});

test('a chain that is broken elsewhere is no reason to call the lot free of recalls', () => {
  const text = textWith(TAMPERED);

  assert.match(text, /Not verified\..*nothing on this page is proven/);
  assert.doesNotMatch(text, /no open recall notice|do not verify/);
});

test('other brands of the code are named with the recalls they have open', () => {
  const rival = { id: 'rival', name: 'Rival', product_sku: 'R-1', open_notices: 2 };
  const calm = { id: 'calm', name: 'Calm', product_sku: 'C-1', open_notices: 0 };

  const text = textWith({ other_brands: [rival, calm] });
  const allCalm = textWith({ other_brands: [calm] });

  assert.match(text, /<a href="\/lot\/BREAD-1">Choose another brand<\/a>/);
  assert.ok(text.indexOf('some of it is recalled') < text.indexOf('Verified.'));
  assert.doesNotMatch(allCalm, /recalled/);
  assert.match(text, /<code>R-1<\/code>\s*<strong class="bad"[^]*?<\/svg> 2 open recalls/);
  assert.match(text, /<code>C-1<\/code>\s*<\/li>/);
});

test('a story that was cut short says so', () => {
  assert.match(textWith({ truncated: true }), /There is more about this lot than this page shows/);
  assert.doesNotMatch(textWith({}), /There is more about this lot/);
});
