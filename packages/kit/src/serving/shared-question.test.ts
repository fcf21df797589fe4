// Who shares which answer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedQuestion } from './shared-question.ts';

/** A question whose answers are given by hand: the first is 1. */
function byHand(): {
  readonly question: SharedQuestion<number>;
  readonly asked: PromiseWithResolvers<number>[];
} {
  const asked: PromiseWithResolvers<number>[] = [];
  const question = new SharedQuestion(() => {
    const answer = Promise.withResolvers<number>();
    asked.push(answer);
    return answer.promise;
  });
  return { question, asked };
}

test('all who ask while a question is under way share the next one', async () => {
  const { question, asked } = byHand();
  const first = question.ask();
  const later = [question.ask(), question.ask(), question.ask()];
  const underWayTogether = asked.length;

  asked[0]?.resolve(1);
  await first;
  asked[1]?.resolve(2);

  assert.equal(await first, 1);
  assert.deepEqual(await Promise.all(later), [2, 2, 2]);
  assert.deepEqual([underWayTogether, asked.length], [1, 2]);
});

test('who asks while the next question is under way shares the one after it', async () => {
  const { question, asked } = byHand();
  const first = question.ask();
  const second = question.ask();
  asked[0]?.resolve(1);
  await first;
  const third = question.ask();
  const beforeSecond = asked.length;

  asked[1]?.resolve(2);
  await second;
  asked[2]?.resolve(3);

  assert.deepEqual([await second, await third, beforeSecond], [2, 3, 2]);
});

test('who asks when nothing is under way is asked for at once', async () => {
  const { question, asked } = byHand();
  const first = question.ask();
  asked[0]?.resolve(1);
  await first;

  const second = question.ask();

  assert.equal(asked.length, 2);
  asked[1]?.resolve(2);
  assert.equal(await second, 2);
});

test('a question that fails does so for those who share it, and the next is asked', async () => {
  const { question, asked } = byHand();
  const first = question.ask();
  const second = question.ask();

  asked[0]?.reject(new Error('away'));

  await assert.rejects(first, new Error('away'));
  asked[1]?.resolve(2);
  assert.equal(await second, 2);
});
