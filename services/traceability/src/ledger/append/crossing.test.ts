// A message to the other thread arrives there unchanged.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonText } from '@lothub/kit/http/schemas/json-text';
import type { AppendAnswer, Draft, DraftOutcome, Submission } from '../draft.ts';
import { crossAppends } from './crossing.ts';
import type { HeadAnswer, HeadJob } from './jobs.ts';

const CROSSING = crossAppends<HeadJob, HeadAnswer>();

const PLAIN: Draft = {
  eventText: '{"event_type":"RECEIVE"}',
  externalId: 'wms-1',
  groupKey: null,
  privateLines: [],
  privateNotes: null,
  warnings: [],
};
const SUBMISSION: Submission = {
  tenantId: 'bakery',
  caller: { actor: 'ERP', requestId: 'req-1' },
  drafts: [PLAIN],
  unit: 'all',
  wantsProofs: false,
};
const TIP = { height: 9, hash: 'ff' };
const CHECKPOINT = { size: 10, root: new Uint8Array([1, 2]), note: 'hub\n10\n' };

function acrossThreads(job: HeadJob): HeadJob {
  return CROSSING.receiveJob(structuredClone(CROSSING.sendJob(job)));
}

function answeredAcrossThreads(answer: AppendAnswer): HeadAnswer {
  const sent = CROSSING.sendAnswer({ kind: 'append', answer });
  return CROSSING.receiveAnswer(structuredClone(sent));
}

for (const [what, change] of [
  ['one event', {}],
  ['no event', { drafts: [] }],
  ['an event without an external id', { drafts: [{ ...PLAIN, externalId: null }] }],
  [
    'a caller who is named',
    { caller: { actor: 'Ada', requestId: null, person: 'Ada', via: 'session' } },
  ],
  ['a submission that wants proofs', { wantsProofs: true, unit: 'each' }],
  [
    'events with private values, notes and warnings among others',
    {
      drafts: [
        PLAIN,
        {
          ...PLAIN,
          groupKey: 'g',
          privateLines: [
            { line_no: 1, customer_ref: 'C', channel: null, consignee_ref: null, salt: 's' },
          ],
          privateNotes: { notes: 'n', salt: 't' },
          warnings: [{ code: 'no_offset' }, { code: 'channel_unknown', line: 1 }],
        },
        { ...PLAIN, externalId: '' },
        { ...PLAIN, warnings: [{ code: 'no_offset' }] },
      ],
    },
  ],
] as const satisfies readonly (readonly [string, Partial<Submission>])[]) {
  test(`${what} crosses as it is`, () => {
    const job: HeadJob = { kind: 'append', submission: { ...SUBMISSION, ...change } };

    const received = acrossThreads(job);

    assert.deepEqual(received, job);
  });
}

const APPENDED: DraftOutcome = { kind: 'appended', height: 7, hash: 'aa', heldLots: [] };
const HELD: DraftOutcome = { kind: 'appended', height: 8, hash: 'bb', heldLots: ['FLOUR-1'] };
const REPLAYED: DraftOutcome = { kind: 'replayed', height: 3, hash: 'cc' };

for (const [what, change] of [
  ['an answer to one event', { outcomes: [APPENDED] }],
  ['an answer to no event', { outcomes: [] }],
  ['an answer that nothing was signed for', { outcomes: [APPENDED, HELD], log: undefined }],
  [
    'an answer of all kinds of outcomes',
    {
      outcomes: [
        REPLAYED,
        APPENDED,
        { kind: 'withheld' },
        { kind: 'conflict', taken: 'external_id', height: 4, fields: ['location'] },
        HELD,
      ],
    },
  ],
  [
    'an answer with the proofs of what was appended',
    {
      outcomes: [APPENDED, REPLAYED, HELD],
      log: {
        checkpoint: CHECKPOINT,
        proofs: [
          { index: 7, text: jsonText('proof of 7') },
          { index: 8, text: jsonText('proof of 8') },
        ],
      },
    },
  ],
] as const satisfies readonly (readonly [string, Partial<AppendAnswer>])[]) {
  test(`${what} crosses as it is`, () => {
    const signed = { checkpoint: CHECKPOINT, proofs: [] };
    const answer: AppendAnswer = { tip: TIP, log: signed, ...change };

    const received = answeredAcrossThreads(answer);

    assert.deepEqual(received, { kind: 'append', answer });
  });
}

test('corrections and what is answered to them cross as they are', () => {
  const job: HeadJob = {
    kind: 'correct',
    submission: { tenantId: 'bakery', corrections: [], unit: 'all' },
  };
  const answer: HeadAnswer = {
    kind: 'correct',
    answer: { outcomes: [{ kind: 'stale' }], tip: TIP, log: undefined },
  };

  const received = acrossThreads(job);
  const answered = CROSSING.receiveAnswer(structuredClone(CROSSING.sendAnswer(answer)));

  assert.deepEqual(received, job);
  assert.deepEqual(answered, answer);
});
