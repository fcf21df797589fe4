// The turns of the processes over one ledger: one of them verifies, and all report the height
// through which everything is as it was sealed.
import { instantText, type Clock } from '@lothub/kit/clock';
import { ALONE_TURN, type Turn } from '@lothub/kit/turn';

export interface VerifiedProgress {
  /** Everything up to this height is as it was sealed. */
  readonly verifiedThrough: number;
  /** When that was last looked at; ISO 8601. */
  readonly verifiedAt: string;
}

/** The turn to verify. */
export interface VerifierTurns extends Turn {
  /**
   * Reports the progress of this process.
   * @param when `at_once`: a caller waits for it; `in_time`: as often as the engine finds useful
   * @returns the progress that all processes report from now on; undefined when it was too early
   * for a report
   */
  share(
    verifiedThrough: number,
    when: 'at_once' | 'in_time',
  ): Promise<VerifiedProgress | undefined>;
  /** Returns the progress of the process that has the turn; undefined before the first report. */
  shared(): Promise<VerifiedProgress | undefined>;
}

/** Turns of a process that has the ledger to itself. */
export function aloneTurns(clock: Clock): VerifierTurns {
  let shared: VerifiedProgress | undefined;
  return {
    ...ALONE_TURN,
    share: (verifiedThrough) => {
      shared = {
        // A new round does not reduce the number: what it finds wrong becomes an alarm.
        verifiedThrough: Math.max(verifiedThrough, shared?.verifiedThrough ?? 0),
        verifiedAt: instantText(clock.nowMs()),
      };
      return Promise.resolve(shared);
    },
    shared: () => Promise.resolve(shared),
  };
}
