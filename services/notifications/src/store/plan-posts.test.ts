// What becomes of posts that are committed together: a database that refuses two of one place would have
// them done again one by one, which hides that they were planned wrongly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { postTo } from '../../test/stored-group.ts';
import { planPosts, type PostsView } from './plan-posts.ts';
import type { PostJob } from './jobs.ts';

const VIEW: PostsView = {
  feed: { position: 40, at: 1_000 },
  findGroup: (groupId) =>
    groupId === 'none' ? undefined : { headSeq: groupId === 'a' ? 7 : 0, hasReceivers: false },
  findRepeat: () => undefined,
  findItem: () => undefined,
};

function postedAt(at: number, groupId: string): PostJob {
  return { kind: 'post', post: postTo(groupId), at };
}

test('posts of one commit have consecutive places, each group for itself', () => {
  const jobs = ['a', 'b', 'a', 'none', 'a', 'b'].map((groupId) => postedAt(2_000, groupId));

  const { notifications, headSeqs, feed } = planPosts(jobs, VIEW);

  assert.deepEqual(
    notifications.map(({ id, seq, post }) => [id, post.groupId, seq]),
    [
      [41, 'a', 8],
      [42, 'b', 1],
      [43, 'a', 9],
      [44, 'a', 10],
      [45, 'b', 2],
    ],
  );
  assert.deepEqual(
    [...headSeqs],
    [
      ['a', 10],
      ['b', 2],
    ],
  );
  assert.equal(feed.position, 45);
});

test('time does not go back along the posts of a commit', () => {
  const jobs = [900, 3_000, 2_000].map((at) => postedAt(at, 'a'));

  const { notifications } = planPosts(jobs, VIEW);

  assert.deepEqual(
    notifications.map(({ createdAt }) => createdAt),
    [1_000, 3_000, 3_000],
  );
});
