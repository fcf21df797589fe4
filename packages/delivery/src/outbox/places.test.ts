// Turns between groups and their webhooks, and the share of the places that each of them has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Places, QUICK_MS, SHARES, type Waiting } from './places.ts';

function makeWaiting(name: string, changes: Partial<Waiting> = {}): Waiting {
  return {
    id: name,
    groupId: `group of ${name}`,
    createdBy: `maker of ${name}`,
    failures: 0,
    ...changes,
  };
}

/** Webhooks of groups of their own, or with what they have in common. */
function many(count: number, changes: Partial<Waiting> = {}): readonly Waiting[] {
  return Array.from({ length: count }, (_, n) =>
    makeWaiting(`${JSON.stringify(changes)} ${n}`, changes),
  );
}

/** Begins all tries that there are places for. @returns how many of each webhook */
function fill(places: Places, waiting: readonly Waiting[]): readonly number[] {
  const shares = places.share(waiting);
  for (const [webhook, count] of shares) {
    for (let n = 0; n < count; n += 1) places.take(webhook);
  }
  return waiting.map((webhook) => shares.get(webhook) ?? 0);
}

/** A try of each that took so long. */
function tried(places: Places, waiting: readonly Waiting[], tookMs: number): void {
  for (const webhook of waiting) places.take(webhook)(tookMs);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

test('a webhook begins with one try, and how long it took decides about its places', () => {
  const places = new Places();
  const [quick, slow, silent] = many(3);
  assert.ok(quick && slow && silent);

  const first = fill(places, [quick]);
  tried(places, [quick], QUICK_MS);
  tried(places, [slow], QUICK_MS + 1);

  assert.deepEqual(first, [SHARES.new.receiver]);
  assert.deepEqual(fill(places, [quick]), [SHARES.quick.receiver - SHARES.new.receiver]);
  assert.deepEqual(fill(places, [slow]), [SHARES.slow.receiver]);
  assert.deepEqual(fill(places, [{ ...silent, failures: 1 }]), [1]);
});

test('a try that was not made says nothing about its webhook', () => {
  const places = new Places();
  const [webhook] = many(1);
  assert.ok(webhook);

  places.take(webhook)(undefined);

  assert.deepEqual(fill(places, [webhook]), [SHARES.new.receiver]);
});

test('a webhook that is quick again has its places again', () => {
  const places = new Places();
  const [webhook] = many(1);
  assert.ok(webhook);

  tried(places, [webhook], QUICK_MS + 1);
  tried(places, [webhook], 0);

  assert.deepEqual(fill(places, [webhook]), [SHARES.quick.receiver]);
});

test('the webhooks of a group share its places, and leave those of another alone', () => {
  const places = new Places();
  const busy = many(10, { groupId: 'busy' });
  const [other] = many(1);
  assert.ok(other);
  tried(places, [...busy, other], 0);

  const shares = fill(places, [...busy, other]);

  assert.equal(sum(shares.slice(0, -1)), SHARES.quick.group);
  assert.deepEqual(new Set(shares.slice(0, -1)), new Set([1, 2]));
  assert.equal(shares.at(-1), SHARES.quick.receiver);
});

test('slow webhooks of a group leave places to its new and its quick ones', () => {
  const places = new Places();
  const slow = many(6, { groupId: 'mixed' });
  const [fresh, quick] = many(2, { groupId: 'mixed', createdBy: 'another' });
  assert.ok(fresh && quick);
  tried(places, slow, QUICK_MS + 1);
  tried(places, [quick], 0);

  const bySlow = fill(places, slow);

  assert.equal(sum(bySlow), SHARES.slow.group);
  assert.deepEqual(fill(places, [fresh]), [SHARES.new.receiver]);
  assert.deepEqual(fill(places, [quick]), [SHARES.quick.receiver]);
});

test('however many webhooks are slow, a new one finds a place, and a quick one more', () => {
  const places = new Places();
  const slow = many(1_000);
  const fresh = many(1_000, { failures: 0, createdBy: 'makers of new ones' });
  const quick = many(1_000, { createdBy: 'makers of quick ones' });
  tried(places, slow, QUICK_MS + 1);
  tried(places, quick, 0);

  assert.equal(sum(fill(places, slow)), SHARES.slow.all);
  assert.equal(sum(fill(places, fresh)), SHARES.new.all - SHARES.slow.all);
  assert.equal(sum(fill(places, quick)), SHARES.quick.all - SHARES.new.all);
});

test('tries under way of all webhooks together have a limit, whatever their speed', () => {
  const places = new Places();
  const all = [0, 1, 2].map((n) => many(1_000, { createdBy: `maker ${n}` })).flat();
  tried(places, all, 0);
  const underWay = sum(fill(places, all));

  tried(places, all, QUICK_MS + 1);

  assert.equal(underWay, SHARES.quick.all);
  assert.equal(sum(fill(places, all)), 0);
});

test('what one person has made leaves places to the webhooks of others', () => {
  const places = new Places();
  const theirs = many(1_000, { createdBy: 'one person' });
  const [other] = many(1);
  assert.ok(other);
  tried(places, theirs, 0);

  assert.equal(sum(fill(places, theirs)), SHARES.quick.creator);
  assert.deepEqual(fill(places, [other]), [SHARES.new.receiver]);
});

test('webhooks that failed before this process count as slow until one of their tries ends', () => {
  const places = new Places();
  const failing = many(1_000, { failures: 3 });

  assert.equal(sum(fill(places, failing)), SHARES.slow.all);
});

test('a freed place goes to the group whose last turn is the longest ago', () => {
  const places = new Places();
  const waiting = many(SHARES.new.all + 2);
  const shares = places.share(waiting);
  const ends = [...shares.keys()].map((webhook) => places.take(webhook));

  const turns: (readonly number[])[] = [];
  for (const end of ends.slice(0, 3)) {
    end(QUICK_MS + 1);
    turns.push(fill(places, waiting));
  }

  assert.equal(shares.size, SHARES.new.all);
  // The last two had none yet; after them comes the first again.
  assert.deepEqual(
    turns.map((shared) => shared.indexOf(1)),
    [SHARES.new.all, SHARES.new.all + 1, 0],
  );
});
