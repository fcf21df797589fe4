// What an adapter is: the forms in which its sender writes, and what becomes of a request of it.
import type { FieldProblem } from '@lothub/kit/http/field-problems';
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../errors.ts';
import type { IngestBody } from '../ingest/ingest-schema.ts';
import type { Adapter } from '../keys/key-prefix.ts';

/** Notifications that one request may hold. */
export const POSTS_MAX = 100;

/** How the bytes of a body are read; `bytes`: not at all. */
export type BodyForm = 'json' | 'form' | 'bytes';

export interface SenderRequest {
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** As `type/subtype`; undefined: the request says none. */
  readonly mediaType: string | undefined;
  readonly bytes: Buffer;
  /** The value for `json`, the parsed `payload` for `form`, undefined for `bytes`. */
  readonly json: unknown;
}

export interface SenderPost {
  readonly content: IngestBody;
  /**
   * What the sender calls this delivery: the same one within a day posts nothing more, whatever its content.
   * undefined: the sender gives no name.
   */
  readonly id: readonly string[] | undefined;
}

export interface Sender {
  readonly adapter: Adapter;
  /** As people call it. */
  readonly name: string;
  /** For the description. */
  readonly mediaTypes: readonly string[];
  /** undefined: it is refused. */
  readonly chooseBodyForm: (
    request: Pick<SenderRequest, 'headers' | 'mediaType'>,
  ) => BodyForm | undefined;
  /** What to send instead of what is refused. */
  readonly mediaAdvice: string;
  /**
   * Returns the posts in the order of the request; none when there is nothing to post.
   * @throws Problem `fields_invalid`
   */
  readonly readPosts: (request: SenderRequest) => readonly SenderPost[];
  /** What a success is answered with in place of JSON. */
  readonly answerText?: string;
}

export function isJsonAlone({ mediaType }: Pick<SenderRequest, 'mediaType'>): BodyForm | undefined {
  return mediaType === 'application/json' ? 'json' : undefined;
}

/** A 422 that says what was looked for. */
export function shapeProblem(lookedFor: string, ...fields: readonly FieldProblem[]): Problem {
  return new Problem('fields_invalid', `Nothing was stored. ${lookedFor}`, { fields });
}

export function fieldProblem(
  pointer: string,
  code: FieldProblem['code'],
  counted: Partial<Pick<FieldProblem, 'limit' | 'actual'>> = {},
): FieldProblem {
  return { pointer, code, limit: null, actual: null, ...counted };
}
