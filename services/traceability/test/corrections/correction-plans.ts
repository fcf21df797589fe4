// Events as they count, and corrections planned on them, for the tests of the rule.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import jcs from 'canonicalize';
import { planCorrection } from '../../src/corrections/plan.ts';
import type { CorrectionPlan, CorrectionTarget } from '../../src/corrections/plan.ts';
import type { ChangeValue, CorrectionInput } from '../../src/corrections/schema.ts';
import { Refusal } from '../../src/errors.ts';
import { asSealed } from '../../src/ledger/record/effective.ts';
import type { ChainCorrection, ChainEvent, ChainLine } from '../../src/ledger/record/payload.ts';
import type { PrivateEventValues } from '../../src/ledger/private-values.ts';

export type Change = CorrectionInput['changes'][number];

export const HASH = 'a'.repeat(64);
export const COMMITMENT = 'b'.repeat(64);

/** A RECEIVE of three lines, as it is on the chain. */
export const RECEIVED: ChainEvent = {
  event_type: 'RECEIVE',
  external_id: 'wms-1',
  lines: [
    chainLine({ lot_code: 'FLOUR-1', quantity: '250.5', supplier_name: 'Mill' }),
    chainLine({ lot_code: 'FLOUR-2', quantity: '10', unit: 'bag' }),
    chainLine({ lot_code: 'FLOUR-3', quantity: '10' }),
  ],
  location: 'DOCK-1',
  notes: 'dry',
  occurred_at: '2026-03-02T06:15:00.5Z',
  reference: 'PO-1',
};

/** A SELL of two lines, the first with a customer and a channel. */
export const SOLD: ChainEvent = {
  event_type: 'SELL',
  lines: [
    chainLine({ direction: 'out', lot_code: 'BREAD-1', channel: 'retail', private: COMMITMENT }),
    chainLine({ direction: 'out', lot_code: 'BREAD-2' }),
  ],
  location: 'SHOP-1',
  occurred_at: '2026-03-02T06:15:00Z',
  private: COMMITMENT,
  reference: 'SO-1',
};
const SOLD_PRIVATE: PrivateEventValues = {
  notes: 'back door',
  lines: new Map([
    [0, { customerRef: 'CUST-1', channel: 'Supermarket North', consigneeRef: null }],
  ]),
};

function chainLine(members: Partial<ChainLine>): ChainLine {
  return {
    direction: 'in',
    lot_code: 'LOT',
    product_sku: 'SKU',
    quantity: '1',
    unit: 'kg',
    ...members,
  };
}

const NOTHING_PRIVATE: PrivateEventValues = { notes: null, lines: new Map() };

/** The event of block 7 as it counts, after the corrections that `changes` say. */
export function makeTarget(
  event: ChainEvent,
  changes: Partial<CorrectionTarget['effective']> & {
    readonly privateValues?: PrivateEventValues;
  } = {},
): CorrectionTarget {
  const { privateValues = NOTHING_PRIVATE, ...effective } = changes;
  return {
    height: 7,
    hash: HASH,
    effective: { ...asSealed(event), ...effective },
    privateValues,
  };
}

export const RECEIVED_TARGET = makeTarget(RECEIVED);
export const SOLD_TARGET = makeTarget(SOLD, { privateValues: SOLD_PRIVATE });

/** Salts that can be distinguished and are the same in every run. */
function countedSalts(): () => string {
  let count = 0;
  return () => (count += 1).toString(16).padStart(64, '0');
}

/** The plan of a correction that Jane Miller asks for. */
export function planned(target: CorrectionTarget, ...changes: readonly Change[]): CorrectionPlan {
  const request: CorrectionInput = {
    corrects_event_id: target.height,
    reason: 'typing error',
    requested_by: 'Jane Miller',
    changes: [...changes],
  };
  return planCorrection(request, { target, newSalt: countedSalts() });
}

/** The correction as it would be in the payload. */
export function sealed(plan: CorrectionPlan): ChainCorrection {
  return JSON.parse(plan.submission.correctionText) as ChainCorrection;
}

export const change = (field: string, old_value: ChangeValue, new_value: ChangeValue): Change => ({
  field,
  old_value,
  new_value,
});

/** Fails unless `run` is refused with this sentence. */
export function assertRefused(message: string, run: () => unknown): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof Refusal);
    assert.equal(error.message, message);
    assert.equal(error.code, 'rule_broken');
    return true;
  });
}

/** The documented commitment, computed without our code. */
export function computeCommitment(values: object): string {
  return createHash('sha256')
    .update(String(jcs(values)))
    .digest('hex');
}

/** The commitment to who asked for a plan of `planned`. */
export function computeRequestCommitment({ privateRequest }: CorrectionPlan['submission']): string {
  return computeCommitment({ requested_by: 'Jane Miller', salt: privateRequest.salt });
}
