/** Whether a checkpoint is believed by the policy of the reader, as steps and an outcome. */
import { judgeCheckpoint, LogError, parsePolicy } from '@lothub/chain/log';
import type { Checkpoint, Policy, QuorumVerdict, VerifySignature } from '@lothub/chain/log';
import { Refusal, type Outcome, type Step } from './verdict.ts';

const MS_PER_SECOND = 1_000;
/** 9999-12-31T23:59:59Z: the last one with a year of four digits. A witness may state any number. */
const SECONDS_MAX = 253_402_300_799;

/** What the reader of a proof believes in, and what their platform brings. */
export interface Trust {
  readonly policy: Policy;
  readonly verify: VerifySignature;
}

/**
 * The policy of a reader, whose mistakes are the reader's own and no refusal of the proof.
 *
 * @throws {LogError} `policy_invalid`; also when the policy names no log
 */
export function readPolicy(text: string): Policy {
  const policy = parsePolicy(text);
  if (policy.logs.length > 0) return policy;
  throw new LogError(
    'policy_invalid',
    'The policy names no log. Add a line: log VKEY, with the key of the log as its operator published it.',
  );
}

/**
 * Judges the signatures of a checkpoint.
 *
 * @throws {Refusal} `unknown_log`, `bad_signature` or `no_quorum`
 */
export async function judgeHead(
  head: Checkpoint,
  { policy, verify }: Trust,
): Promise<{ readonly outcome: Outcome; readonly steps: readonly Step[] }> {
  const verdict = await judgeCheckpoint(head, { policy, verify });
  switch (verdict.refused) {
    case 'unknown_log':
      throw new Refusal('unknown_log', `The policy has no log with the name ${head.origin}.`);
    case 'bad_signature':
      throw new Refusal(
        'bad_signature',
        `The checkpoint of ${head.origin} is not signed with the key that the policy has for it, or a witness of the policy signed something else.`,
      );
    case 'no_quorum':
      throw new Refusal(
        'no_quorum',
        'The log signed the checkpoint, but too few of the witnesses that the policy asks for did.',
      );
    default:
      return believed(head, verdict.quorum);
  }
}

function believed(
  head: Checkpoint,
  quorum: QuorumVerdict,
): { readonly outcome: Outcome; readonly steps: readonly Step[] } {
  const log: Step = {
    name: 'log',
    isGood: true,
    text: `The log ${head.origin} signed a tree of ${head.size} blocks with the key of your policy.`,
  };
  if (quorum.at === undefined) {
    return {
      outcome: { verdict: 'operator_only' },
      steps: [
        log,
        {
          name: 'witnesses',
          isGood: true,
          text: 'Your policy asks for no witness: nobody but the operator confirms this tree.',
        },
      ],
    };
  }
  const witnessed = {
    cosigned: quorum.witnessed.length,
    of: quorum.witnesses,
    at: instantOf(quorum.at),
  };
  const names = quorum.witnessed.map(({ witness }) => witness.name).join(', ');
  return {
    outcome: { verdict: 'witnessed', witnessed },
    steps: [
      log,
      {
        name: 'witnesses',
        isGood: true,
        text: `${witnessed.cosigned} of ${witnessed.of} witnesses confirm it (${names}). What it holds existed at ${witnessed.at} at the latest.`,
      },
    ],
  };
}

/** The time of a cosignature as `YYYY-MM-DDTHH:MM:SSZ`; one that is later than any is the last one. */
export function instantOf(seconds: number): string {
  const capped = Math.min(seconds, SECONDS_MAX);
  return new Date(capped * MS_PER_SECOND).toISOString().replace('.000Z', 'Z');
}
