/** Whether the cosignatures of a checkpoint are enough for a policy, and since when. */
import type { PolicyWitness, Quorum } from './policy.ts';

/** A witness whose signature was verified, and the time that it signed, in seconds since 1970. */
export interface Witnessing {
  readonly witness: PolicyWitness;
  readonly time: number;
}

/** What cosignatures come to under a policy. */
export interface QuorumVerdict {
  /** `none`: the policy asks for nobody. */
  readonly state: 'none' | 'met' | 'missed';
  /** The witnesses that count and cosigned, the oldest time first. */
  readonly witnessed: readonly Witnessing[];
  /** How many witnesses could count. */
  readonly witnesses: number;
  /**
   * The time at which the quorum was reached, with the oldest cosignatures that are needed for it:
   * what the checkpoint says existed then at the latest.
   */
  readonly at?: number;
}

/** Judges verified cosignatures; of several by one witness the oldest counts. */
export function judgeQuorum(quorum: Quorum, cosignatures: readonly Witnessing[]): QuorumVerdict {
  const times = new Map<PolicyWitness, number>();
  for (const { witness, time } of cosignatures) {
    times.set(witness, Math.min(time, times.get(witness) ?? time));
  }
  const counting = listWitnesses(quorum);
  const witnessed = counting
    .flatMap((witness) => {
      const time = times.get(witness);
      return time === undefined ? [] : [{ witness, time }];
    })
    .sort((left, right) => left.time - right.time);
  const found = { witnessed, witnesses: counting.length };
  if (quorum.kind === 'none') return { state: 'none', ...found };
  const at = findTime(quorum, times);
  return at === undefined ? { state: 'missed', ...found } : { state: 'met', at, ...found };
}

/** The witnesses that a quorum reaches, each once: no policy names a member twice. */
export function listWitnesses(quorum: Quorum): readonly PolicyWitness[] {
  switch (quorum.kind) {
    case 'none':
      return [];
    case 'witness':
      return [quorum.witness];
    case 'group':
      return quorum.members.flatMap(listWitnesses);
  }
}

/** When a quorum was reached: of a group, the time of its k-th oldest member. */
function findTime(quorum: Quorum, times: ReadonlyMap<PolicyWitness, number>): number | undefined {
  switch (quorum.kind) {
    case 'none':
      return undefined;
    case 'witness':
      return times.get(quorum.witness);
    case 'group':
      return quorum.members
        .flatMap((member) => findTime(member, times) ?? [])
        .sort((left, right) => left - right)
        .at(quorum.threshold - 1);
  }
}
