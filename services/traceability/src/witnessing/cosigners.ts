// Who has cosigned a checkpoint, and whether that satisfies the hub's policy. The operator's own
// witnesses are named and count as none.
import {
  judgeCheckpoint,
  judgeQuorum,
  listWitnesses,
  parseCheckpoint,
  parseVkey,
  type Checkpoint,
  type Policy,
  type PolicyWitness,
  type QuorumVerdict,
  type Witnessing,
} from '@lothub/chain/log';
import { verifyEd25519 } from '@lothub/verify';
import type { HubPolicy, HubWitness } from './hub-policy.ts';

export interface Cosigner {
  readonly witness: HubWitness;
  /** When it saw the checkpoint, in seconds since 1970. */
  readonly time: number;
}

export interface Cosigners {
  /** All whose signatures are good, the oldest first; also the operator's own. */
  readonly cosigned: readonly Cosigner[];
  /** `witnessed` are those that count, `witnesses` how many could. */
  readonly quorum: QuorumVerdict;
}

/**
 * Finds who has cosigned a note, and keeps the result for the last note: a verification takes a millisecond, and
 * pages and /health need the published note often until the next round.
 */
export class CosignerFinder {
  readonly #policy: HubPolicy;
  #kept:
    | { readonly note: string; readonly vkeys: string; readonly cosigners: Promise<Cosigners> }
    | undefined;

  constructor(policy: HubPolicy) {
    this.#policy = policy;
  }

  /** @param vkeys of the log */
  find(note: string, vkeys: readonly string[]): Promise<Cosigners> {
    const keys = vkeys.join('\n');
    if (this.#kept?.note === note && this.#kept.vkeys === keys) return this.#kept.cosigners;
    const cosigners = findCosigners(note, { policy: this.#policy, vkeys });
    this.#kept = { note, vkeys: keys, cosigners };
    return cosigners;
  }
}

/** Verifies every cosignature that the policy knows; one that is wrong leaves the checkpoint without any. */
async function findCosigners(
  note: string,
  by: { readonly policy: HubPolicy; readonly vkeys: readonly string[] },
): Promise<Cosigners> {
  const { policy } = by;
  const cosignatures = await verifiedCosignatures(parseCheckpoint(note), {
    vkeys: by.vkeys,
    witnesses: policy.witnesses.map(({ witness }) => witness),
  });
  const hubWitnesses = new Map(policy.witnesses.map((one) => [one.witness, one]));
  const cosigned = (cosignatures ?? []).flatMap(({ witness, time }) => {
    const found = hubWitnesses.get(witness);
    return found === undefined ? [] : [{ witness: found, time }];
  });
  const quorum = judgeIndependent(policy, cosignatures ?? []);
  return { cosigned, quorum: { ...quorum, witnesses: countingWitnesses(policy).length } };
}

/** What cosignatures come to under the hub's policy, in which those of the operator's own count as none. */
export function judgeIndependent(
  { policy, witnesses }: HubPolicy,
  cosignatures: readonly Witnessing[],
): QuorumVerdict {
  const own = new Set(witnesses.flatMap(({ witness, isOwn }) => (isOwn ? [witness] : [])));
  return judgeQuorum(
    policy.quorum,
    cosignatures.filter(({ witness }) => !own.has(witness)),
  );
}

/** Those whose cosignatures count: in the quorum, and not the operator's own. */
export function countingWitnesses({ policy, witnesses }: HubPolicy): readonly HubWitness[] {
  const inQuorum = new Set(listWitnesses(policy.quorum));
  return witnesses.filter(({ witness, isOwn }) => inQuorum.has(witness) && !isOwn);
}

/**
 * The good cosignatures of some witnesses; the oldest first.
 * @returns undefined when the log's signature, or the one of a witness, is wrong
 */
export async function verifiedCosignatures(
  checkpoint: Checkpoint,
  by: { readonly vkeys: readonly string[]; readonly witnesses: readonly PolicyWitness[] },
): Promise<QuorumVerdict['witnessed'] | undefined> {
  const { witnesses } = by;
  const members = witnesses.map((witness) => ({ kind: 'witness', witness }) as const);
  const policy: Policy = {
    logs: by.vkeys.map((vkey) => ({ key: parseVkey(vkey) })),
    witnesses,
    quorum: { kind: 'group', threshold: 1, members },
  };
  const verdict = await judgeCheckpoint(checkpoint, { policy, verify: verifyEd25519 });
  if (verdict.refused === 'no_quorum') return [];
  return verdict.refused === undefined ? verdict.quorum.witnessed : undefined;
}
