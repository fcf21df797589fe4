// Which of the processes over one ledger verifies, and what all of them say of how far everything is
// as it was sealed. An engine with one process has nobody to take turns with.
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';

export interface VerifiedProgress {
  /** Everything up to this height is as it was sealed. */
  readonly verifiedThrough: number;
  /** When that was last looked at; ISO 8601. */
  readonly verifiedAt: string;
}

/** Asked before each slice, so an answer is cheap; how often another process is heard is its own. */
export interface VerifierTurns {
  /**
   * Takes the turn to verify, or keeps it.
   * @returns false while another process has it
   * @throws DatabaseError when nobody can be asked just now
   */
  take(): Promise<boolean>;
  /** Gives the turn up, so that another process need not wait until it ends by itself. */
  release(): Promise<void>;
  /**
   * Says how far this process has come.
   * @param when `at_once`: somebody waits for it; `in_time`: as often as the engine finds useful
   * @returns what all processes say from now on; undefined when it was not time to say it
   */
  share(
    verifiedThrough: number,
    when: 'at_once' | 'in_time',
  ): Promise<VerifiedProgress | undefined>;
  /** What the process says that has the turn; undefined when none has said anything yet. */
  shared(): Promise<VerifiedProgress | undefined>;
}

/** Turns of a process that has the ledger to itself. */
export function aloneTurns(clock: Clock): VerifierTurns {
  let shared: VerifiedProgress | undefined;
  return {
    take: () => Promise.resolve(true),
    release: () => Promise.resolve(),
    share: (verifiedThrough) => {
      shared = {
        // A round that begins anew takes nothing back: what it finds bad is an alarm.
        verifiedThrough: Math.max(verifiedThrough, shared?.verifiedThrough ?? 0),
        verifiedAt: instantText(clock.nowMs()),
      };
      return Promise.resolve(shared);
    },
    shared: () => Promise.resolve(shared),
  };
}
