// What a witness answered, as a closed list, and when it is asked again.

/** Every way in which an exchange with a witness ends; operators read these names. */
export const WITNESS_ANSWERS = [
  /** It cosigned the checkpoint. */
  'cosigned',
  /** It has cosigned a larger tree than ours (409). */
  'ahead',
  /** It takes the consistency proof for none (422). */
  'refuses',
  /** It does not witness this log (404). */
  'unknown_log',
  /** It does not know the key of this log (403). */
  'unknown_key',
  /** It was asked too often (429). */
  'busy',
  /** It failed (5xx). */
  'failing',
  /** It did not answer within the limit. */
  'timed_out',
  /** No connection, or one that broke. */
  'unreachable',
  /** It named another size each time (409). */
  'unsettled',
  /** Anything else: a wrong signature or time, a redirect, too long a body. */
  'invalid',
] as const;
export type WitnessAnswer = (typeof WITNESS_ANSWERS)[number];

const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 600_000;
/** For answers that change only when the set-up changes. */
const LONG_REST_MS = 3_600_000;

/** @param failures such answers in a row, this one included */
export function restAfterMs(answer: WitnessAnswer, failures: number): number {
  switch (answer) {
    case 'cosigned':
    case 'ahead':
    // A refused connection costs nothing, so a witness gets a request as soon as it is reachable again.
    case 'unreachable':
      return 0;
    case 'refuses':
    case 'unknown_key':
      return LONG_REST_MS;
    // Its operator may have put the log on its list just now, which it reads every few seconds.
    case 'unknown_log':
      return Math.min(growingWaitMs(failures), LONG_REST_MS);
    case 'busy':
    case 'failing':
    case 'timed_out':
    case 'unsettled':
    case 'invalid':
      return Math.min(growingWaitMs(failures), LONGEST_WAIT_MS);
  }
}

function growingWaitMs(failures: number): number {
  return FIRST_WAIT_MS * 2 ** (failures - 1);
}
