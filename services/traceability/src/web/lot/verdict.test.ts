// The verdict on a lot: what warns comes first, and only a verified lot is free of doubt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EXAMPLE_NOTICE, type Notice } from '../../lots/notices/schema.ts';
import { CASE_STATUSES, HOLD_STATUSES, LOT_STATUSES, SEVERITIES } from '../../terms.ts';
import type { HoldStatus, LotStatus } from '../../terms.ts';
import { chooseAdviceKind, judgeLot } from './verdict.ts';

interface Known {
  readonly status?: LotStatus;
  readonly hold?: HoldStatus;
  readonly notices?: Notice[];
  readonly verified?: boolean;
}

function verdict({ status = 'active', hold = 'released', notices = [], verified = true }: Known) {
  const lot = { lot_code: 'L', product_sku: 'S', status, hold_status: hold };
  return judgeLot({ lot, notices, verified });
}

const notice = (changes: Partial<Notice>): Notice => ({ ...EXAMPLE_NOTICE, ...changes });

for (const [what, known, kind] of [
  ['a verified lot without a notice', {}, 'clear'],
  ['a lot that is not verified', { verified: false }, 'unconfirmed'],
  ['a lot on hold', { hold: 'on_hold' }, 'onHold'],
  ['a lot on hold that is not verified', { hold: 'on_hold', verified: false }, 'onHold'],
  ['a recalled lot on hold', { hold: 'on_hold', notices: [notice({})] }, 'recalled'],
  ['a recalled lot that is not verified', { notices: [notice({})], verified: false }, 'recalled'],
  ['a lot that is recalled without a notice', { status: 'recalled' }, 'recalled'],
  ['a case under investigation', { notices: [notice({ status: 'investigation' })] }, 'examined'],
  [
    'a withdrawal from the market',
    { notices: [notice({ severity: 'market_withdrawal' })] },
    'withdrawn',
  ],
  ['a lot that is sold out', { status: 'depleted' }, 'clear'],
] as const satisfies readonly (readonly [string, Known, string])[]) {
  test(`of ${what} the verdict is ${kind}`, () => {
    assert.equal(verdict(known).kind, kind);
  });
}

test('nothing but a verified lot that is neither recalled nor on hold is clear', () => {
  for (const status of LOT_STATUSES) {
    for (const hold of HOLD_STATUSES) {
      for (const verified of [true, false]) {
        for (const notices of [[], [notice({})]]) {
          const isFree = status !== 'recalled' && hold === 'released' && notices.length === 0;

          const { kind } = verdict({ status, hold, verified, notices });

          assert.equal(kind === 'clear', verified && isFree, JSON.stringify([status, hold, kind]));
        }
      }
    }
  }
});

test('of several notices the worst one leads, whichever is the newest', () => {
  const notices = [
    notice({ case_no: 'RC-2026-0003', severity: 'market_withdrawal' }),
    notice({ case_no: 'RC-2026-0002', severity: 'class_i' }),
    notice({ case_no: 'RC-2026-0001', severity: 'class_ii' }),
  ];

  const found = verdict({ notices });

  assert.ok('notice' in found);
  assert.deepEqual(
    [found.kind, found.notice?.case_no, found.others.map((one) => one.case_no)],
    ['recalled', 'RC-2026-0002', ['RC-2026-0001', 'RC-2026-0003']],
  );
});

test('the advice is that of the severity; only what is not classified yet waits for the investigation', () => {
  for (const severity of SEVERITIES) {
    for (const status of CASE_STATUSES) {
      const isOpen = severity === 'unclassified' && status === 'investigation';
      assert.equal(chooseAdviceKind({ severity, status }), isOpen ? 'notSettled' : severity);
    }
  }
  assert.equal(chooseAdviceKind(undefined), 'unclassified');
});
