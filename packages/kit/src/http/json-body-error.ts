// A JSON body that is not read: why, and where.
import type { Loc } from './field-errors.ts';

/** Members of one object; no request of ours has more than two dozen. */
export const MEMBERS_MAX = 1_000;
/** Containers inside containers; no request of ours has more than six. */
export const NESTING_MAX = 64;

export type JsonFault =
  'not_utf8' | 'not_json' | 'too_deep' | 'repeated_member' | 'too_many_members';

const MESSAGES: Readonly<Record<JsonFault, string>> = {
  not_utf8: 'Body is not valid UTF-8',
  not_json: 'Body is not valid JSON',
  too_deep: `Body is nested too deeply: send at most ${NESTING_MAX} levels`,
  repeated_member: 'Object has two members of one name: send each once',
  too_many_members: `Object has too many members: send at most ${MEMBERS_MAX}`,
};

export class JsonBodyError extends Error {
  readonly code = 'json_invalid';
  readonly reason: JsonFault;
  /** Way to the member or object that is refused; empty when it is the body. */
  readonly path: Loc;

  constructor(reason: JsonFault, path: Loc = []) {
    super(MESSAGES[reason]);
    this.name = 'JsonBodyError';
    this.reason = reason;
    this.path = path;
  }
}
