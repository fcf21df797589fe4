// Which of the processes over one ledger verifies, and what all of them say of how far everything is
// as it was sealed.
import { instantText } from '@lothub/kit/clock';
import type { Clock } from '@lothub/kit/clock';
import { ALONE_TURN } from '@lothub/kit/turn';
import type { Turn } from '@lothub/kit/turn';

export interface VerifiedProgress {
  /** Everything up to this height is as it was sealed. */
  readonly verifiedThrough: number;
  /** When that was last looked at; ISO 8601. */
  readonly verifiedAt: string;
}

/** The turn to verify. */
export interface VerifierTurns extends Turn {
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
    ...ALONE_TURN,
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
