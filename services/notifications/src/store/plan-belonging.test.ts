// What belongs together of posts that are committed at once, with what is stored and with each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postTo } from '../../test/stored-group.ts';
import { planBelonging, type FindItem, type StoredItem } from './plan-belonging.ts';
import type { NewNotification, Post } from './post.ts';

const STORED: StoredItem = {
  ...{ firstSeq: 3, firstAt: 30, lastSeq: 5 },
  ...{ severity: 'critical', status: 'firing', count: 2 },
};

function posted(...posts: readonly Partial<Post>[]): readonly NewNotification[] {
  return posts.map((post, at) => ({
    ...{ id: at + 10, seq: at + 10, createdAt: 100 + at },
    post: postTo('grp', post),
  }));
}

const findOven: FindItem = (_, dedupKey) => (dedupKey === 'oven' ? STORED : undefined);

const oven = (more: Partial<Post> = {}): Partial<Post> => ({
  ...{ dedupKey: 'oven', status: 'firing', severity: 'critical' },
  ...more,
});

test('posts join what is stored of their key, and each other', () => {
  const { items } = planBelonging(posted(oven(), {}, oven({ severity: 'info' })), findOven);

  assert.deepEqual(items, [
    {
      ...{ groupId: 'grp', dedupKey: 'oven', firstSeq: 3, firstAt: 30, lastSeq: 12 },
      ...{ severity: 'info', status: 'firing', count: 4 },
    },
  ]);
});

test('one that resolves and one that fires then are two items, each as it ends', () => {
  const resolved = oven({ status: 'resolved' });

  const { items } = planBelonging(posted(resolved, resolved, oven(), oven()), findOven);

  assert.deepEqual(
    items.map(({ firstSeq, lastSeq, count, status }) => [firstSeq, lastSeq, count, status]),
    [
      [3, 11, 4, 'resolved'],
      [12, 13, 2, 'firing'],
    ],
  );
});

test('only the newest of an item waits to be acknowledged, unless it is resolved', () => {
  const critical = { severity: 'critical' } as const;

  const firing = planBelonging(posted(oven(), oven(), critical), findOven);
  const over = planBelonging(posted(oven(), oven({ status: 'resolved' }), critical), findOven);

  assert.deepEqual(
    firing.unacknowledged.map(({ seq }) => seq),
    [11, 12],
  );
  assert.deepEqual(
    over.unacknowledged.map(({ seq }) => seq),
    [12],
  );
  assert.deepEqual(firing.settled, [{ groupId: 'grp', seq: 5 }]);
});
