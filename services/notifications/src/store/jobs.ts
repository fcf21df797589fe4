// Posts on their way to the writer thread of either engine.
import type { AnswerOf } from '@lothub/kit/writer/answers';
import type { Post, PostOutcome } from './post.ts';

/** Plain values only: a job crosses a thread. */
export interface PostJob {
  readonly kind: 'post';
  readonly post: Post;
  /** When it came, in milliseconds since the Unix epoch, UTC. */
  readonly at: number;
}

/** What is answered to a job, by the kind of the job. */
export interface PostAnswers {
  readonly post: PostOutcome;
}
export type PostAnswer = AnswerOf<PostAnswers>;

/** So long a text weighs as much as a post by itself: the queue is bounded by what it holds. */
const CHARACTERS_OF_WEIGHT = 2_000;

/** How much of a group commit, and of the queue before it, a post takes up. */
export function weightOfPost({ body, url }: Post): number {
  const characters = (body?.length ?? 0) + (url?.length ?? 0);
  return 1 + Math.floor(characters / CHARACTERS_OF_WEIGHT);
}
