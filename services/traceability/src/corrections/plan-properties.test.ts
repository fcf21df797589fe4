// Plans any changes of any events: the correction on the chain is canonical, has the documented
// shape, hides private values, and gives the requested values.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import jcs from 'canonicalize';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import {
  COMMITMENT,
  change,
  computeCommitment,
  computeRequestCommitment,
  makeTarget,
  planned,
  sealed,
} from '../../test/corrections/correction-plans.ts';
import type { Change } from '../../test/corrections/correction-plans.ts';
import { channelClass } from '../events/channel-class.ts';
import { applyCorrection } from '../ledger/record/effective.ts';
import { isPayload } from '../ledger/record/payload-shape.ts';
import type { ChainCorrection, ChainEvent, ChainLine } from '../ledger/record/payload.ts';
import type { CorrectionTarget } from './plan.ts';
import type { ChangeValue } from './schema.ts';

const RECORDED = { brand: 'acme', recorded_at: '2026-03-02T06:15:01.000Z', v: 1 } as const;

const text = fc
  .string({ unit: anyCharacter, minLength: 1, maxLength: 20 })
  .filter((value) => !value.includes('\0'));
const optionalText = fc.option(text);
const quantity = fc.nat({ max: 10 ** 9 }).map((value) => value / 1_000);
const instant = fc
  .integer({ min: 0, max: 4_000_000_000 })
  .map((seconds) => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z'));
const channel = fc.option(fc.constantFrom('webshop', 'store', 'unknown', 'Store'));

/** The values of a line, private ones included; null for none. */
const lineValues = fc.record({
  lot_code: text,
  product_sku: text,
  direction: fc.constantFrom('in', 'out'),
  quantity,
  unit: text,
  customer_ref: optionalText,
  channel,
  supplier_name: optionalText,
  origin_facility: optionalText,
  supplier_lot_code: optionalText,
});
const eventValues = fc.record({
  occurred_at: instant,
  location: text,
  reference: text,
  notes: optionalText,
});
type Values = Readonly<Record<string, ChangeValue>>;

const LINES = 3;
/** An event as it counts and another version of it, and the changes from the one to the other. */
const requests = fc
  .record({
    isSell: fc.boolean(),
    before: eventValues,
    after: eventValues,
    linesBefore: fc.array(lineValues, { minLength: LINES, maxLength: LINES }),
    linesAfter: fc.array(lineValues, { minLength: LINES, maxLength: LINES }),
    isVoided: fc.boolean(),
    seed: fc.nat(),
  })
  .map((drawn) => {
    const differences = (before: Values, after: Values, prefix: string): readonly Change[] =>
      Object.keys(before)
        .filter((field) => before[field] !== after[field])
        .filter((field) => drawn.isSell || (field !== 'customer_ref' && field !== 'channel'))
        .map((field) => change(`${prefix}${field}`, before[field]!, after[field]!));
    const changes = [
      ...differences(drawn.before, drawn.after, ''),
      ...drawn.linesBefore.flatMap((line, index) =>
        differences(line, drawn.linesAfter[index]!, `lines[${index}].`),
      ),
      ...(drawn.isVoided ? [change('status', 'accepted', 'voided')] : []),
    ];
    // Some of the changes, so that each field is also left alone.
    const chosen = changes.filter((_change, index) => (drawn.seed >> (index % 24)) % 2 === 0);
    return { ...drawn, changes: chosen };
  })
  .filter(({ changes }) => changes.length > 0);

type Drawn = typeof requests extends fc.Arbitrary<infer Value> ? Value : never;

/** The event as the chain would have it, with its private values. */
function drawnTarget({ isSell, before, linesBefore }: Drawn): CorrectionTarget {
  const { notes, ...header } = before;
  const lines = linesBefore.map((line): ChainLine => {
    const { customer_ref, channel: sentChannel, quantity: amount, ...rest } = line;
    const members = Object.entries(rest).filter(([, value]) => value !== null);
    const isPrivate = isSell && (customer_ref !== null || sentChannel !== null);
    return {
      ...(Object.fromEntries(members) as Omit<ChainLine, 'quantity'>),
      quantity: String(amount),
      ...(isSell && sentChannel !== null ? { channel: channelClass(sentChannel) } : {}),
      ...(isPrivate ? { private: COMMITMENT } : {}),
    };
  });
  const event: ChainEvent = {
    ...header,
    event_type: isSell ? 'SELL' : 'RECEIVE',
    lines,
    ...(notes === null ? {} : isSell ? { private: COMMITMENT } : { notes }),
  };
  if (!isSell) return makeTarget(event);
  return makeTarget(event, {
    privateValues: {
      notes,
      lines: new Map(
        linesBefore.map((line, lineNo) => [
          lineNo,
          { customerRef: line.customer_ref, channel: line.channel, consigneeRef: null },
        ]),
      ),
    },
  });
}

test('any correction is canonical, has the shape of the chain and opens its commitments', () => {
  fc.assert(
    fc.property(requests, (drawn) => {
      const { submission } = planned(drawnTarget(drawn), ...drawn.changes);

      const correction = JSON.parse(submission.correctionText) as ChainCorrection;
      assert.equal(submission.correctionText, jcs(correction));
      assert.ok(isPayload({ ...RECORDED, type: 'correction', correction }));
      assert.equal(correction.private, computeRequestCommitment(submission));
      const committed = correction.changes.flatMap((one, changeNo) =>
        one.private === undefined ? [] : [{ changeNo, private: one.private }],
      );
      const opened = submission.privateChanges.map(
        ({ change_no, from_text: from, to_text: to, salt }) => ({
          changeNo: change_no,
          private: computeCommitment({
            ...(from === null ? {} : { from }),
            ...(to === null ? {} : { to }),
            salt,
          }),
        }),
      );
      assert.deepEqual(committed, opened);
    }),
    { numRuns: 300 },
  );
});

test('any correction leaves what is private off the chain', () => {
  fc.assert(
    fc.property(requests, (drawn) => {
      const plan = planned(drawnTarget(drawn), ...drawn.changes);

      for (const { field, from, to, private: hidden } of sealed(plan).changes) {
        const isClass = field.endsWith('.channel');
        const isHidden = isClass || field.endsWith('.customer_ref');
        assert.equal(hidden !== undefined, isHidden || (field === 'notes' && drawn.isSell), field);
        if (hidden === undefined) assert.ok(from !== to, field);
        else if (!isClass) assert.ok(from === undefined && to === undefined, field);
        else
          for (const name of [from, to]) assert.match(name ?? 'other', /^(online|retail|other)$/);
      }
    }),
  );
});

test('any correction, applied, gives the values that were asked for', () => {
  fc.assert(
    fc.property(requests, (drawn) => {
      const target = drawnTarget(drawn);

      const plan = planned(target, ...drawn.changes);

      const correction = sealed(plan);
      const after = applyCorrection(target.effective, { height: 9, correction });
      for (const { field, new_value: wanted } of drawn.changes) {
        const [, lineNo, name] = /^lines\[(\d)\]\.(.*)$/.exec(field) ?? [];
        const found: unknown =
          name === undefined
            ? Reflect.get(after.event, field)
            : Reflect.get(after.event.lines[Number(lineNo)]!, name);
        if (field === 'status') assert.ok(after.voided);
        else if (name === 'quantity') assert.equal(found, String(wanted));
        else if (name === 'channel') {
          const expected = typeof wanted === 'string' ? channelClass(wanted) : undefined;
          assert.equal(found, expected);
        } else if (name === 'customer_ref' || (field === 'notes' && drawn.isSell)) {
          assert.equal(found, undefined);
        } else assert.equal(found, wanted ?? undefined);
      }
      assert.deepEqual(plan.changes, drawn.changes);
    }),
    { numRuns: 300 },
  );
});
