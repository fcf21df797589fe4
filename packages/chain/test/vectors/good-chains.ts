/** Chains that every verifier must accept. */
import { parseBlock, type JsonObject } from '../../src/index.ts';
import { commitmentNamed } from './commitments.ts';
import { disclosedRecall } from './disclosed-recall.ts';
import {
  at,
  makeChain,
  eventPayload,
  genesis,
  plainChain,
  RECEIVED,
  RECEIVED_LINE,
  recordedAt,
  type VectorBlock,
} from './chain-maker.ts';

export type GoodChain = {
  readonly name: string;
  readonly description: string;
  /** The trusted block before the first one; left out when the chain starts at block 0. */
  readonly previous?: {
    readonly height: number;
    readonly block_hash: string;
    readonly recorded_at: string;
  };
  readonly blocks: readonly VectorBlock[];
  readonly expect: {
    readonly valid: true;
    readonly height: number;
    readonly tip_hash: string;
    /** Blocks of a later version; absent when there are none. */
    readonly contents_not_judged?: number;
  };
};

const PRODUCED: JsonObject = {
  event_type: 'PRODUCE',
  lines: [
    {
      direction: 'in',
      lot_code: 'FLOUR-1',
      product_sku: 'FLOUR',
      quantity: '100.25',
      unit: 'kg',
    },
    { direction: 'out', lot_code: 'CAKE-9', product_sku: 'CAKE', quantity: '400', unit: 'pcs' },
  ],
  location: 'PLANT-1',
  notes: 'Second shift.',
  occurred_at: '2026-01-02T03:00:00.25Z',
  reference: 'WO-77',
};

const SOLD: JsonObject = {
  event_type: 'SELL',
  lines: [
    {
      channel: 'food_service',
      direction: 'out',
      lot_code: 'CAKE-9',
      private: commitmentNamed('channel and customer'),
      product_sku: 'CAKE',
      quantity: '12',
      unit: 'pcs',
    },
  ],
  location: 'SHOP-4',
  occurred_at: '2026-01-02T03:04:00Z',
  private: commitmentNamed('notes of a sale'),
  reference: 'INV-9',
};

const DELIVERED: JsonObject = {
  event_type: 'SHIP',
  lines: [
    {
      consignee: commitmentNamed('consignee'),
      direction: 'out',
      lot_code: 'CAKE-9',
      product_sku: 'CAKE',
      quantity: '40',
      unit: 'pcs',
    },
  ],
  location: 'PLANT-1',
  occurred_at: '2026-01-02T03:02:00Z',
  reference: 'SO-31',
};

/** The characters that quoting and key order treat in their own way, and some that they must not. */
const STRANGE_TEXT =
  '" \\ / \b \f \n \r \t \u0001 \u001f \u007f \u0080 \u00e9 e\u0301 \u2028 \u2029 \ufeff \uffff \u{1f35e} \u{10ffff}';

/** U+1F35E sorts before U+FB33 by UTF-16 code units and after it by code points. */
const STRANGE_KEYS: JsonObject = {
  '\ufb33': '1',
  '\u{1f35e}': '2',
  '': '3',
  A: '4',
  a: '5',
  '10': '6',
  '9': '7',
  '\u00f6': '8',
  '\r': '9',
  __proto__x: '10',
};

export function makeGoodChains(): readonly GoodChain[] {
  const several = makeChain([
    genesis(),
    eventPayload(1),
    eventPayload(2, { event: PRODUCED }),
    eventPayload(3, { event: SOLD, changes: { brand: 'acme.retail_2-b' } }),
  ]);
  const long = plainChain(12);
  return [
    good('genesis only', 'A chain without any event.', plainChain(1)),
    good('genesis and one event', 'The worked example of docs/chain-format.md.', plainChain(2)),
    good(
      'several events',
      'Two brands, provenance, notes, a fraction of a second, and the commitments of a sale; opened by commitments.json.',
      several,
    ),
    good(
      'two digits of height',
      'Heights 9 and 10 differ in length but not in how they are compared.',
      long,
    ),
    {
      ...good(
        'from the middle',
        'Starts after a block that is trusted already.',
        long.slice(10),
      ),
      previous: {
        height: 9,
        block_hash: at(long, 9).block_hash,
        recorded_at: recordedAt(9),
      },
    },
    good(
      'unicode and escapes',
      'Strings are hashed as sent, not normalised; only what RFC 8785 demands is escaped.',
      makeChain([
        genesis({ hub: 'Łódź \u{1f35e}' }),
        eventPayload(1, { event: { ...RECEIVED, notes: STRANGE_TEXT, location: 'Zürich/Süd' } }),
      ]),
    ),
    good(
      'key order by UTF-16 code units',
      'An event with members that a later writer may add: a verifier does not judge them, but their order.',
      makeChain([genesis(), eventPayload(1, { event: { ...RECEIVED, ...STRANGE_KEYS } })]),
    ),
    good(
      'a payload that imitates the end of a block',
      'A string holds the closing text of a block; its quotes are escaped, so it cannot be taken for one.',
      makeChain([
        genesis(),
        eventPayload(1, {
          event: { ...RECEIVED, notes: `},"prev_hash":"${'0'.repeat(64)}"}` },
        }),
      ]),
    ),
    good(
      'same time twice',
      'recorded_at may stay the same from one block to the next.',
      makeChain([genesis(), eventPayload(1), eventPayload(2, { changes: { recorded_at: recordedAt(1) } })]),
    ),
    good(
      'leap day and end of a year',
      'Instants at the edge of the calendar.',
      makeChain([
        genesis({ recorded_at: '2028-02-29T23:59:59.999Z' }),
        eventPayload(1, { changes: { recorded_at: '2028-12-31T23:59:59.999Z' } }),
      ]),
    ),
    ofLaterVersions(),
    ofLaterTypes(),
    good(
      'version 2',
      'A delivery, a correction with an external id, and one of a consignee.',
      ofVersion2(),
    ),
    good(
      'decisions',
      'What people decided, in blocks of version 2 among events.',
      decisions(),
    ),
    good(
      'a recall in confidence',
      'Two confidential steps among other blocks, disclosed part by part before the case is public.',
      disclosedRecall(),
    ),
    good(
      'names and a recall in several languages',
      'A brand and a place with their names, and a recall with its texts, in languages beside their own.',
      inLanguages(),
    ),
    good('corrections', 'A quantity, a private value and a status are corrected.', corrections(several)),
  ];
}

/** Goes on from the chain "several events": the corrected blocks must exist in it. */
function corrections(several: readonly VectorBlock[]): readonly VectorBlock[] {
  const base = several.map((block) => parseBlock(block.canonical).payload);
  return makeChain([
    ...base,
    correctionPayload(4, {
      changes: [
        { field: 'lines[0].quantity', from: '250.5', to: '245' },
        { field: 'notes', to: 'Weighed again.' },
        { field: 'lines[0].supplier_lot_code', from: RECEIVED_LINE['supplier_lot_code'] ?? '' },
      ],
      corrects_block_hash: at(several, 1).block_hash,
      corrects_block_height: 1,
      corrects_event_id: 1,
      private: commitmentNamed('who asked for a correction'),
      reason: 'Scale was not zeroed.',
    }),
    correctionPayload(5, {
      changes: [
        {
          field: 'lines[0].channel',
          from: 'food_service',
          private: commitmentNamed('corrected channel'),
          to: 'online',
        },
        { field: 'lines[0].customer_ref', private: commitmentNamed('corrected customer') },
      ],
      corrects_block_hash: at(several, 3).block_hash,
      corrects_block_height: 3,
      corrects_event_id: 3,
      reason: 'Wrong customer.',
    }),
    correctionPayload(6, {
      changes: [{ field: 'status', from: 'accepted', to: 'voided' }],
      corrects_block_hash: at(several, 2).block_hash,
      corrects_block_height: 2,
      corrects_event_id: 2,
      reason: 'Booked twice.',
    }),
  ]);
}

function correctionPayload(height: number, correction: JsonObject): JsonObject {
  return { brand: 'acme', correction, recorded_at: recordedAt(height), type: 'correction', v: 1 };
}

/** The worked example of "Version 2", and a correction of each of its new members. */
function ofVersion2(): readonly VectorBlock[] {
  const base = makeChain([
    genesis(),
    eventPayload(1, { event: DELIVERED, changes: { v: 2 } }),
    eventPayload(2),
  ]);
  const correct = (height: number, correction: JsonObject): JsonObject => ({
    ...correctionPayload(height, correction),
    v: 2,
  });
  return makeChain([
    ...base.map((block) => parseBlock(block.canonical).payload),
    correct(3, {
      changes: [{ field: 'lines[0].quantity', from: '250.5', to: '245' }],
      corrects_block_hash: at(base, 2).block_hash,
      corrects_block_height: 2,
      corrects_event_id: 2,
      external_id: 'wms-1003',
      private: commitmentNamed('who asked for a correction'),
      reason: 'Scale was not zeroed.',
    }),
    correct(4, {
      changes: [
        {
          field: 'lines[0].consignee_ref',
          from: 'named',
          private: commitmentNamed('corrected consignee'),
          to: 'named',
        },
      ],
      corrects_block_hash: at(base, 1).block_hash,
      corrects_block_height: 1,
      corrects_event_id: 1,
      private: commitmentNamed('who asked for a correction'),
      reason: 'Wrong consignee.',
    }),
  ]);
}

/** A text in one language has no member for it; a text in several has. */
function inLanguages(): readonly VectorBlock[] {
  const decided = (height: number, type: string, decision: JsonObject): JsonObject => ({
    brand: 'acme',
    decision: { at: recordedAt(1), ...decision },
    recorded_at: recordedAt(height),
    type,
    v: 2,
  });
  const step = {
    auto_hold: true,
    case_no: 'RC-2026-0001',
    direction: 'both',
    part: 1,
    parts: 1,
    reason: 'A sieve broke',
    seed: { lot_code: 'FLOUR-1', type: 'lot' },
    severity: 'class_ii',
    state: 'investigation',
    title: 'Metal in rye bread',
  };
  const german = { advice: 'Bringen Sie das Brot zurück', title: 'Metall im Roggenbrot' };
  const wording = { language: 'en', translations: { de: german } };
  return makeChain([
    genesis(),
    decided(1, 'brand', { about: 'brand', changed: ['name'], state: { name: 'Old Mill' } }),
    decided(2, 'brand', {
      about: 'brand',
      changed: ['language', 'names'],
      state: { language: 'en', name: 'Old Mill', names: { de: 'Alte Mühle', fr: 'Vieux Moulin' } },
    }),
    decided(3, 'brand', {
      about: 'place',
      changed: ['name', 'names'],
      location: 'PLANT-1',
      state: { name: 'Hall 2', names: { de: 'Halle 2' } },
    }),
    eventPayload(4),
    decided(5, 'recall', { ...step, change: 'opened', step: 1, wording }),
    decided(6, 'recall', {
      ...{ ...step, change: 'edited', step: 2, was: { wording } },
      wording: { translations: { de: german, it: { title: 'Metallo nel pane di segale' } } },
    }),
    decided(7, 'recall', {
      ...{ ...step, change: 'edited', step: 3 },
      was: { wording: { translations: { it: { title: 'Metallo nel pane di segale' } } } },
    }),
  ]);
}

/** A hold of two lots as it is sealed, and each further type with an envelope that is right. */
function decisions(): readonly VectorBlock[] {
  const decided = (height: number, type: string, decision: JsonObject): JsonObject => ({
    brand: 'acme',
    decision,
    recorded_at: recordedAt(height),
    type,
    v: 2,
  });
  return makeChain([
    genesis(),
    eventPayload(1),
    decided(2, 'hold', {
      at: recordedAt(1),
      committed: {
        by: commitmentNamed('who held lots'),
        reason: commitmentNamed('why lots are held'),
      },
      lots: ['FLOUR-1', 'SUGAR-1'],
      state: 'held',
    }),
    ...['brand', 'drill', 'erasure', 'recall', 'response'].map((type, index) =>
      decided(3 + index, type, { at: recordedAt(1) }),
    ),
    { audit: {}, recorded_at: recordedAt(8), type: 'audit', v: 2 },
  ]);
}

/** A type of version 2 that is not known is not judged. */
function ofLaterTypes(): GoodChain {
  const later = makeChain([
    genesis(),
    { brand: 'acme', note: {}, recorded_at: recordedAt(1), type: 'note', v: 2 },
    eventPayload(2, { event: DELIVERED, changes: { v: 2 } }),
    { type: 'event', v: 3 },
  ]);
  const chain = good(
    'types of version 2 that are not known',
    'Hash and link of a block of another type are checked; its contents are not judged.',
    later,
  );
  return { ...chain, expect: { ...chain.expect, contents_not_judged: 2 } };
}

/** Hash, link and canonical form are those of every block; what a later payload says is not judged. */
function ofLaterVersions(): GoodChain {
  const later = makeChain([
    genesis(),
    { v: 2, type: 'decision', decided: ['release'] },
    eventPayload(2),
    { v: 9_007_199_254_740_991 },
    eventPayload(4),
  ]);
  const chain = good(
    'payloads of later versions',
    'Blocks whose v is above 1 stand between others: their contents are not judged.',
    later,
  );
  return { ...chain, expect: { ...chain.expect, contents_not_judged: 2 } };
}

function good(
  name: string,
  description: string,
  blocks: readonly VectorBlock[],
): GoodChain {
  const tip = at(blocks, blocks.length - 1);
  return {
    name,
    description,
    blocks,
    expect: { valid: true, height: tip.height, tip_hash: tip.block_hash },
  };
}

