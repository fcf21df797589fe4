// Every sentence of the pages is in every language, and no page that a consumer sees keeps an English one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, type Language } from '@lothub/languages';
import { GAP, listSentences, testSentences, toPlainText } from '@lothub/kit/test/sentences';
import type { LogStanding } from '../../log/standing.ts';
import { EXAMPLE_NOTICE } from '../../lots/notices/schema.ts';
import type { Step } from '../../verification/journey.ts';
import type { Verification } from '../../verification/schema.ts';
import type { VerifiedLot } from '../../verification/verify-lot.ts';
import { errorPage } from '../error-page.ts';
import { layOut, type Page } from '../layout.ts';
import { lotPage } from '../lot/lot-page.ts';
import { sharedCodePage } from '../shared-code-page.ts';
import { startPage } from '../start-page.ts';
import { WORDS, readerIn } from './reader.ts';

/** Parts of sentences below this length are in several languages by chance. */
const PART_MIN = 12;

const ENGLISH = listSentences(WORDS.en);
const OTHERS = LANGUAGES.filter((language) => language !== 'en');

testSentences(WORDS, { mayBeEmpty: ['start.inEnglish'] });

const STEP: Step = {
  event_type: 'PRODUCE',
  occurred_at: '2026-03-02T06:15:00Z',
  location: 'PLANT-1',
  product_sku: 'SKU',
  lot_code: 'L-1',
  note: null,
  channel: null,
  corrected_by: [4, 7],
};

const LOT: Verification = {
  verified: true,
  brand: { id: 'b', name: 'B' },
  lot: { lot_code: 'L-1', product_sku: 'SKU', status: 'active', hold_status: 'released' },
  journey_title: '',
  steps: [STEP],
  decisions: [],
  channels_reached: ['retail', 'food_service', 'direct'],
  notices: [],
  ledger: { chain_id: 'c', height: 9, tip_hash: 't', blocks: 10, chain_valid: true },
  trust: { statement: '', data_owner: 'B', hub: 'H', chain_valid: true, tip_hash: 't' },
  proof: [{ height: 1, block_hash: 'h' }],
  other_brands: [{ id: 'r', name: 'R', product_sku: 'R-1', open_notices: 2 }],
  truncated: true,
};

const TYPES = ['RECEIVE', 'PRODUCE', 'PACK', 'TRANSFER', 'SELL', 'DISPOSE'];

function verified(changes: Partial<Verification>, unverified: readonly number[] = []): VerifiedLot {
  const answer = { ...LOT, ...changes };
  const events = answer.steps.flatMap((step) =>
    TYPES.map((type): readonly [Step, ...Step[]] => [
      { ...step, event_type: type, channel: type === 'SELL' ? 'online' : null },
      { ...step, event_type: type, lot_code: 'OTHER', product_sku: type },
    ]),
  );
  const contact = { recallContact: '+49 30 1234567', website: 'https://b.example' };
  const decided = { blocks: [], steps: new Map() };
  return { answer, events, products: new Map(), contact, decided, unverified };
}

const notice = (changes: object) => ({
  ...EXAMPLE_NOTICE,
  brand: LOT.brand,
  title: 'T',
  reason: 'R',
  advice: 'A',
  ...changes,
});

const SIGNED: LogStanding = {
  kind: 'signed',
  epoch: 1,
  height: 9,
  opinion: undefined,
  timeStamp: {
    epoch: 1,
    size: 10,
    service: 'TSA',
    stamped_at: '2026-03-02T06:15:00Z',
  },
};

const WATCH_OFFER = { hasMail: true, vapidKey: 'key' };

const LOTS: readonly (readonly [VerifiedLot, LogStanding])[] = [
  [verified({}), SIGNED],
  [verified({ lot: { ...LOT.lot, hold_status: 'on_hold', status: 'depleted' } }), SIGNED],
  [verified({ steps: [], channels_reached: [] }), { kind: 'off' }],
  [verified({ verified: false, steps: [], channels_reached: [] }, [3]), { kind: 'held' }],
  [verified({ verified: false }), { kind: 'building' }],
  ...(['class_i', 'class_ii', 'class_iii', 'market_withdrawal', 'unclassified'] as const).flatMap(
    (severity) =>
      (['investigation', 'notification', 'containment'] as const).map(
        (status) =>
          [
            verified({
              verified: severity !== 'class_i',
              notices: [notice({ severity, status }), notice({ severity, status })],
              lot: { ...LOT.lot, status: 'recalled' },
            }),
            { kind: 'unsigned' },
          ] as const,
      ),
  ),
];

function pagesIn(language: Language): readonly Page[] {
  const reader = readerIn(language);
  const shared = {
    lotCode: 'L-1',
    sharers: [
      { brand: { id: 'b', name: 'B' }, productSku: 'S', productNames: undefined, openNotices: 2 },
    ],
    hasMore: true,
    notices: [notice({})],
    hasMoreNotices: true,
  };
  return [
    startPage({ hubName: 'H' }, reader),
    sharedCodePage(shared, reader),
    ...LOTS.map(([lot, standing]) => lotPage(lot, { standing, watchOffer: WATCH_OFFER }, reader)),
    ...[404, 422, 429, 500].map((status) => errorPage({ status }, reader)),
  ];
}

/** What is between the tags of a page, and its labels that are heard. */
function listPieces({ title, body }: Page): readonly string[] {
  const labels = [
    ...body.text.matchAll(/(?:aria-label|alt|title|placeholder|data-label)="([^"]*)"/g),
  ];
  const texts = body.text
    .replace(/<(\w+)[^>]*\slang="en"[^>]*>[^]*?<\/\1\s*>/g, '<>')
    .split(/<[^>]*>/);
  return [title, ...texts, ...labels.map(([, label = '']) => label)].map((text) =>
    text.replace(/\s+/g, ' ').trim(),
  );
}

for (const language of OTHERS) {
  test(`no page that a consumer sees in ${language} keeps an English sentence`, () => {
    const frame = { hubName: 'H', publicUrl: 'https://h.example', reader: readerIn(language) };
    const texts = pagesIn(language).map((page) => toPlainText(layOut(page, frame).text));
    const own = [...listSentences(WORDS[language]).values()].join('\n');
    const parts = [...ENGLISH].flatMap(([path, sentence]) =>
      sentence
        .split(GAP)
        .map((part) => part.trim())
        .filter((part) => part.length >= PART_MIN && /[a-z] [a-z]/i.test(part))
        .filter((part) => !own.includes(part))
        .map((part) => ({ path, part })),
    );

    assert.ok(parts.length > 100, String(parts.length));
    for (const { path, part } of parts) {
      const kept = texts.find((text) => text.includes(part));
      assert.equal(kept, undefined, `${path}: ${part}`);
    }
  });
}

for (const language of OTHERS) {
  test(`no piece of text of a page in ${language} is the same as in English`, () => {
    const english = new Set(pagesIn('en').flatMap(listPieces));

    const kept = pagesIn(language)
      .flatMap(listPieces)
      .filter((piece) => english.has(piece) && /\p{L}{2,} \p{L}{2,}/u.test(piece));

    assert.ok(english.size > 100, String(english.size));
    assert.deepEqual([...new Set(kept)], []);
  });
}

test('each page that a consumer sees says in which language it is, and has the others beside it', () => {
  for (const language of LANGUAGES) {
    const reader = readerIn(language, { path: '/lot/L-1?brand=b' });
    const frame = { hubName: 'H', publicUrl: 'https://h.example', reader };

    const { text } = layOut(startPage(frame, reader), frame);

    assert.ok(text.includes(`<html lang="${language}" dir="ltr">`));
    for (const other of LANGUAGES) {
      const address = `https://h.example/lot/L-1?brand=b&amp;lang=${other}`;
      assert.match(
        text.replace(/\s+/g, ' '),
        new RegExp(`hreflang="${other}" href="[^"]*lang=${other}"`),
      );
      assert.ok(text.includes(address), address);
    }
  }
});
