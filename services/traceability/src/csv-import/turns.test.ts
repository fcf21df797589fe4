// Few imports run, few more wait, and of one tenant only its share is let in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns, type FullLimit } from './turns.ts';

const NEVER = new AbortController().signal;

function admitAll(turns: Turns, tenantIds: readonly string[]): readonly (Disposable | FullLimit)[] {
  return tenantIds.map((tenantId) => turns.admit(tenantId));
}

/** Lists which limit refused each place, if one did. */
function listLimits(
  places: readonly (Disposable | FullLimit)[],
): readonly (FullLimit | undefined)[] {
  return places.map((place) => (typeof place === 'string' ? place : undefined));
}

test('imports take turns, first come first served', async () => {
  const turns = new Turns({ runningMax: 1, admittedMax: 3, tenantMax: 3 });
  const order: string[] = [];
  const first = await turns.take(NEVER);
  const waiting = ['second', 'third'].map(async (name) => {
    using _turn = await turns.take(NEVER);
    order.push(name);
  });

  order.push('first');
  first[Symbol.dispose]();
  await Promise.all(waiting);

  assert.deepEqual(order, ['first', 'second', 'third']);
});

test('no more are let in than may wait, and of a tenant no more than its share', () => {
  const turns = new Turns({ runningMax: 1, admittedMax: 3, tenantMax: 2 });

  const places = admitAll(turns, ['a', 'a', 'a', 'b', 'b', 'c']);

  assert.deepEqual(listLimits(places), [
    undefined,
    undefined,
    'tenant_full',
    undefined,
    'hub_full',
    'hub_full',
  ]);
});

test('a place that is given back is taken again, by the tenant and by others', () => {
  const turns = new Turns({ runningMax: 1, admittedMax: 2, tenantMax: 2 });
  const [one, two] = admitAll(turns, ['a', 'a']);
  for (const place of [one, two]) if (typeof place === 'object') place[Symbol.dispose]();

  const places = admitAll(turns, ['a', 'b', 'b']);

  assert.deepEqual(listLimits(places), [undefined, undefined, 'hub_full']);
});

test('who leaves while it waits gets no turn and holds up nobody', async () => {
  const turns = new Turns({ runningMax: 1, admittedMax: 3, tenantMax: 3 });
  const first = await turns.take(NEVER);
  const leaving = new AbortController();
  const left = turns.take(leaving.signal);
  const next = turns.take(NEVER);

  leaving.abort(new Error('left'));
  await assert.rejects(left, { message: 'left' });
  first[Symbol.dispose]();

  const turn = await next;
  turn[Symbol.dispose]();
  assert.ok(await turns.take(NEVER));
});

test('who leaves when its turn has come takes nobody else out of the queue', async () => {
  const turns = new Turns({ runningMax: 1, admittedMax: 3, tenantMax: 3 });
  const first = await turns.take(NEVER);
  const leaving = new AbortController();
  const second = turns.take(leaving.signal);
  const third = turns.take(NEVER);

  first[Symbol.dispose]();
  leaving.abort(new Error('left'));
  (await second)[Symbol.dispose]();

  assert.ok(await third);
});
