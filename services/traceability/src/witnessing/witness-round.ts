// One round: the one head that all witnesses are asked to cosign, and what they have cosigned of it.
import { parseCheckpoint, SIGNATURE_LINES_MAX } from '@lothub/chain/log';
import type { SignedCheckpoint } from '../ledger/log/signed-log.ts';
import type { KeptCosignature } from './ask-witness.ts';
import { judgeIndependent } from './cosigners.ts';
import type { HubPolicy } from './hub-policy.ts';
import type { WitnessSeat } from './witness-seat.ts';

export class WitnessRound {
  readonly head: SignedCheckpoint;
  readonly epoch: number;
  readonly begunMs: number;
  readonly #cosigned = new Map<WitnessSeat, readonly KeptCosignature[]>();
  readonly #proofs = new Map<number, Promise<readonly Uint8Array[]>>();

  constructor(head: SignedCheckpoint, begun: { readonly epoch: number; readonly begunMs: number }) {
    this.head = head;
    this.epoch = begun.epoch;
    this.begunMs = begun.begunMs;
  }

  /** Read once for all witnesses that saw the same tree last. */
  proofFrom(
    from: number,
    read: (from: number, to: number) => Promise<readonly Uint8Array[]>,
  ): Promise<readonly Uint8Array[]> {
    const known = this.#proofs.get(from) ?? read(from, this.head.size);
    this.#proofs.set(from, known);
    return known;
  }

  has(seat: WitnessSeat): boolean {
    return this.#cosigned.has(seat);
  }

  add(seat: WitnessSeat, cosignatures: readonly KeptCosignature[]): void {
    this.#cosigned.set(seat, cosignatures);
  }

  /** The note as it is published; undefined while too few have cosigned. */
  noteFor(policy: HubPolicy): string | undefined {
    const all = [...this.#cosigned.values()].flat();
    const { state, witnessed } = judgeIndependent(policy, all);
    if (state === 'missed' || all.length === 0) return undefined;
    const needed = new Set(witnessed.map(({ witness }) => witness));
    const { note } = this.head;
    const room = SIGNATURE_LINES_MAX - parseCheckpoint(note).signatures.length;
    // Those that the quorum is made of come first: a note holds no more lines than verifiers read.
    const lines = [
      ...all.filter(({ witness }) => needed.has(witness)),
      ...all.filter(({ witness }) => !needed.has(witness)),
    ].slice(0, room);
    return note + lines.map(({ line }) => line).join('');
  }
}
