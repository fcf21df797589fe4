// Cached answers are made once for equal requests, and again as soon as their contents have
// changed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@lothub/kit/test/until';
import sql from 'sql-template-tag';
import { correct } from '../../test/recall/case-ledger.ts';
import { makeEvent, makeLine, openTestLedger, type TestLedger } from '../../test/ledger.ts';
import { LastingAnswers, type LastingAnswer } from './lasting-answers.ts';

/** Counts how often it was made; about one lot. */
class Counted {
  made = 0;
  readonly #lotNo: number;
  readonly #weight: number;
  /** Answers wait for this. */
  gate: Promise<void> = Promise.resolve();

  constructor(lotNo: number, weight = 1) {
    this.#lotNo = lotNo;
    this.#weight = weight;
  }

  readonly make = async (): Promise<LastingAnswer<number>> => {
    this.made += 1;
    const value = this.made;
    await this.gate;
    return {
      value,
      isChangedBy: (line) => line.lotNo === this.#lotNo,
      weight: this.#weight,
    };
  };
}

const received = (lotCode: string) => makeEvent('RECEIVE', [makeLine('in', lotCode)]);

async function keeping(
  ledger: TestLedger,
  weightMax = 100,
): Promise<{
  readonly answers: LastingAnswers<number>;
  readonly asked: { readonly tenantNo: number; readonly key: string };
  readonly counted: Counted;
}> {
  await ledger.record([received('FLOUR'), received('SALT')]);
  const { tenantNo, lotNo } = await ledger.lot('FLOUR');
  const { store, state } = ledger;
  return {
    answers: new LastingAnswers<number>({ database: store.reader, state, weightMax }),
    asked: { tenantNo, key: 'FLOUR' },
    counted: new Counted(lotNo),
  };
}

test('equal requests, one after the other or together, share one making', async () => {
  await using ledger = await openTestLedger();
  const { answers, asked, counted } = await keeping(ledger);

  const together = await Promise.all([1, 2, 3].map(() => answers.get(asked, counted.make)));
  const later = await answers.get(asked, counted.make);

  assert.deepEqual([...together, later], [1, 1, 1, 1]);
  assert.equal(counted.made, 1);
});

test('an answer is kept over what it does not contain, and made anew after what it does', async () => {
  await using ledger = await openTestLedger();
  const { answers, asked, counted } = await keeping(ledger);
  await answers.get(asked, counted.make);

  await ledger.record([received('SALT'), received('SUGAR')]);
  await ledger.record([received('FLOUR')], 'rival');
  const kept = await answers.get(asked, counted.make);
  await ledger.record([received('SALT'), received('FLOUR')]);
  const anew = await answers.get(asked, counted.make);

  assert.deepEqual([kept, anew], [1, 2]);
});

test('after more than is looked at an answer is made anew', async () => {
  await using ledger = await openTestLedger();
  const { answers, asked, counted } = await keeping(ledger);
  await answers.get(asked, counted.make);

  await ledger.record(Array.from({ length: 501 }, () => received('SALT')));

  assert.equal(await answers.get(asked, counted.make), 2);
});

test('a correction of the tenant has its answers made anew', async () => {
  await using ledger = await openTestLedger();
  const { answers, asked, counted } = await keeping(ledger);
  await answers.get(asked, counted.make);

  await correct(ledger, { tenantId: 'bakery', height: 1 }, [
    { field: 'location', old_value: 'BAKERY-1', new_value: 'BAKERY-2' },
  ]);

  assert.equal(await answers.get(asked, counted.make), 2);
});

test('a request that comes after an event does not share the answer that was begun before it', async () => {
  await using ledger = await openTestLedger();
  const { answers, asked, counted } = await keeping(ledger);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  counted.gate = promise.then(() => undefined);
  const before = answers.get(asked, counted.make);
  await until('the answer is being made', () => counted.made === 1);

  await ledger.record([received('FLOUR')]);
  const after = [1, 2].map(() => answers.get(asked, counted.make));
  resolve(undefined);

  assert.equal(await before, 1);
  assert.deepEqual(await Promise.all(after), [2, 2]);
});

test('an answer that could not be made is not kept', async () => {
  await using ledger = await openTestLedger();
  const { answers, asked, counted } = await keeping(ledger);
  const fail = (): Promise<never> => Promise.reject(new Error('no database'));

  const failed = await Promise.allSettled([answers.get(asked, fail), answers.get(asked, fail)]);
  const made = await answers.get(asked, counted.make);

  assert.deepEqual(
    failed.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(made, 1);
});

test('nothing is kept while the chain is not valid, nor of the time before', async () => {
  await using ledger = await openTestLedger();
  const { answers, asked, counted } = await keeping(ledger);
  await answers.get(asked, counted.make);

  ledger.state.report({ height: 1, code: 'hash_mismatch', message: 'block 1' });
  const invalid = [await answers.get(asked, counted.make), await answers.get(asked, counted.make)];
  await until('the answer is made again', async () => {
    await ledger.store.write([
      sql`update chain_alarms set cleared_at = '2026-03-02T06:15:00.000Z' where cleared_at is null`,
    ]);
    await ledger.state.refresh();
    return ledger.state.valid;
  });
  const valid = [await answers.get(asked, counted.make), await answers.get(asked, counted.make)];

  assert.deepEqual(invalid, [2, 3]);
  assert.deepEqual(valid, [4, 4]);
});

test('answers that were asked for least recently go when there are too many', async () => {
  await using ledger = await openTestLedger();
  const { answers, asked } = await keeping(ledger, 10);
  const [a, b, c] = [new Counted(1, 4), new Counted(1, 4), new Counted(1, 4)];
  const get = (key: string, counted: Counted): Promise<number> =>
    answers.get({ ...asked, key }, counted.make);

  for (const [key, counted] of [
    ['a', a],
    ['b', b],
    ['a', a],
    ['c', c],
  ] as const) {
    await get(key, counted);
  }
  const kept = [await get('a', a), await get('c', c)];
  const gone = await get('b', b);

  assert.deepEqual(kept, [1, 1]);
  assert.equal(gone, 2);
});
