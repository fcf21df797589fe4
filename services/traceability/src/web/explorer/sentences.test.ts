// One sentence about each kind of block: the same facts in every language, and nothing of a brand as markup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES } from '@lothub/languages';
import type { RecallDecision } from '../../ledger/record/decisions/contents.ts';
import type { Payload } from '../../ledger/record/payload.ts';
import type { WholeStep } from '../../ledger/record/decisions/recall.ts';
import { readerIn } from '../words/reader.ts';
import { renderSentence } from './sentences.ts';

const AT = '2026-03-02T06:15:00.000Z';
const BLOCK = { brand: 'bakery', recorded_at: AT, v: 2 } as const;
const RECALL: RecallDecision = {
  at: AT,
  case_no: 'RC-2026-0001',
  change: 'opened',
  step: 1,
  part: 1,
  parts: 1,
  state: 'investigation',
  title: 'Glass <b>',
  reason: 'r',
  severity: 'class_i',
  direction: 'both',
  auto_hold: true,
  seed: { lot_code: 'FLOUR-1', type: 'lot' },
};
const line = (direction: 'in' | 'out', lotCode: string) =>
  ({ direction, lot_code: lotCode, product_sku: 'SKU', quantity: '1', unit: 'kg' }) as const;
const COUNTS = { pending: 1, ready: 0, sent: 1, acknowledged: 1, resolved: 1 } as const;

interface Case {
  readonly payload: Payload;
  readonly height?: number;
  readonly step?: WholeStep;
  /** The sentence in English, without markup. */
  readonly english: string;
  /** The texts that it contains in every language. */
  readonly facts: readonly string[];
}

const recall = (changes: Partial<RecallDecision>): Payload => ({
  ...BLOCK,
  type: 'recall',
  decision: { ...RECALL, ...changes },
});

const CASES: Readonly<Record<string, Case>> = {
  genesis: {
    height: 0,
    payload: { hub: 'Hub <i>', nonce: '', recorded_at: AT, type: 'genesis', v: 1 },
    english: 'Beginning of the chain of Hub &lt;i&gt;',
    facts: ['Hub &lt;i&gt;'],
  },
  unreadable: {
    payload: { hub: 'unreadable', nonce: '', recorded_at: '', type: 'genesis', v: 1 },
    english: 'Its text is nothing that was ever sealed here',
    facts: [],
  },
  event: {
    payload: {
      ...BLOCK,
      v: 1,
      type: 'event',
      event: {
        event_type: 'PRODUCE',
        occurred_at: AT,
        location: 'DOCK <1>',
        reference: 'WO-1',
        lines: [...['A', 'B', 'C', 'D'].map((code) => line('in', code)), line('out', 'E')],
      },
    },
    english: 'Production at DOCK &lt;1&gt;, reference WO-1: A, B, C and 1 more → E',
    facts: ['DOCK &lt;1&gt;', 'WO-1', 'A, B, C', '→ E'],
  },
  correction: {
    payload: {
      ...BLOCK,
      v: 1,
      type: 'correction',
      correction: {
        changes: [{ field: 'lines[0].quantity', from: '1', to: '2' }],
        corrects_block_hash: 'h',
        corrects_block_height: 7,
        corrects_event_id: 7,
        reason: 'r',
      },
    },
    english: 'Correction of Block 7: quantity, line 1',
    facts: ['7'],
  },
  audit: {
    payload: { audit: { hash: 'h', sequence: 12 }, recorded_at: AT, type: 'audit', v: 2 },
    english: 'Audit sealed up to entry 12',
    facts: ['12'],
  },
  'a hold of one lot': {
    payload: { ...BLOCK, type: 'hold', decision: { at: AT, lots: ['A'], state: 'held' } },
    english: 'Lot A put on hold',
    facts: ['A'],
  },
  'a release of several lots from a case': {
    payload: {
      ...BLOCK,
      type: 'hold',
      decision: { at: AT, lots: ['A', 'B'], state: 'released', case_no: 'RC-1' },
    },
    english: '2 lots released from the hold of recall RC-1',
    facts: ['2', 'RC-1'],
  },
  'details of a product': {
    payload: {
      ...BLOCK,
      type: 'brand',
      decision: {
        at: AT,
        about: 'product',
        sku: 'RYE',
        changed: ['gtin', 'names'],
        state: { names: { en: 'Rye' } },
      },
    },
    english: 'Profile of product RYE: GTIN, names changed',
    facts: ['RYE', 'GTIN'],
  },
  'a place whose profile was removed': {
    payload: {
      ...BLOCK,
      type: 'brand',
      decision: { at: AT, about: 'place', location: 'DOCK', removed: true },
    },
    english: 'Profile of place DOCK: removed',
    facts: ['DOCK'],
  },
  drill: {
    payload: {
      ...BLOCK,
      type: 'drill',
      decision: {
        at: AT,
        drill: 1,
        lot: 'A',
        tip: { hash: 'h', height: 3 },
        elapsed_us: 2_000_000,
      },
    },
    english: 'Recall drill: lot A traced in 2 s',
    facts: ['A', '2 s'],
  },
  erasure: {
    payload: { ...BLOCK, type: 'erasure', decision: { at: AT, heights: [4, 5] } },
    english: 'Private values of 2 blocks erased',
    facts: ['2'],
  },
  response: {
    payload: {
      ...BLOCK,
      type: 'response',
      decision: { at: AT, case_no: 'RC-1', notification: 1, status: 'sent', counts: COUNTS },
    },
    english: 'A notification of recall RC-1: sent. 3 of 4 sent, 2 answered',
    facts: ['RC-1', '3', '4', '2'],
  },
  'an opening': {
    payload: recall({ entered: [{ lot: 'A', relation: 'self', distance: 0 }], parts: 2 }),
    step: { brandName: 'Mill & Sons', lots: { entered: 1_500, left: 0 } },
    english:
      'Recall RC-2026-0001 opened by Mill &amp; Sons: Glass &lt;b&gt;, class I, 1,500 lots entered, part 1 of 2',
    facts: ['RC-2026-0001', 'Mill &amp; Sons', 'Glass &lt;b&gt;', '500'],
  },
  'a move': {
    payload: recall({ change: 'moved', state: 'closed' }),
    english: 'Recall RC-2026-0001 of bakery: closed',
    facts: ['RC-2026-0001', 'bakery'],
  },
  'an edit': {
    payload: recall({ change: 'edited', was: { severity: 'class_ii' }, excluded: ['A'] }),
    english:
      'Recall RC-2026-0001 of bakery edited, severity: class II → class I, 1 lot excluded by hand',
    facts: ['RC-2026-0001', '→', '1'],
  },
  'a widening': {
    payload: recall({ change: 'widened', left: ['A', 'B'] }),
    english: 'Scope of recall RC-2026-0001 of bakery changed, 2 lots left',
    facts: ['RC-2026-0001', '2'],
  },
  'a confidential step': {
    payload: {
      ...BLOCK,
      type: 'recall',
      decision: { at: AT, case_no: 'RC-1', confidential: true, committed: { parts: 'h' } },
    },
    english: 'Confidential step of recall RC-1 of bakery',
    facts: ['RC-1', 'bakery'],
  },
  'a disclosure': {
    payload: {
      ...BLOCK,
      type: 'recall',
      decision: {
        ...{ at: AT, case_no: RECALL.case_no, change: 'disclosed', of: 5, salt: 's' },
        ...{ part: 1, parts: 1, contents: RECALL },
      },
    },
    english:
      'Disclosed from Block 5: Recall RC-2026-0001 opened by bakery: Glass &lt;b&gt;, class I',
    facts: ['5', 'RC-2026-0001', 'Glass &lt;b&gt;'],
  },
};

for (const [what, { payload, height = 9, step, english, facts }] of Object.entries(CASES)) {
  test(`${what} is said with its facts in every language`, () => {
    const steps = new Map(step === undefined ? [] : [[height, step] as const]);
    const said = LANGUAGES.map((language) =>
      renderSentence({ height, payload }, steps, readerIn(language))
        .text.replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' '),
    );

    assert.equal(said[0], english);
    assert.equal(new Set(said).size, LANGUAGES.length, said.join('\n'));
    for (const sentence of said) {
      for (const fact of facts) assert.ok(sentence.includes(fact), `${fact}: ${sentence}`);
    }
  });
}
