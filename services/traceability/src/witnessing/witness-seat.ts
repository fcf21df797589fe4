// One address at which witnesses are asked: what it has seen, what it answered last, and when it is asked
// again.
import { formatVkey, WITNESS_KEY_TYPE, type PolicyWitness } from '@lothub/chain/log';
import { instantText } from '@lothub/kit/clock';
import type { LogWitnessRow } from '../ledger/tables/log.ts';
import type { AskedWitnesses, KeptCosignature } from './ask-witness.ts';
import { isAddress, type HubPolicy } from './hub-policy.ts';
import { restAfterMs, type WitnessAnswer } from './witness-answers.ts';

const MS_PER_SECOND = 1_000;

export class WitnessSeat implements AskedWitnesses {
  readonly url: string;
  readonly witnesses: readonly PolicyWitness[];
  isBusy = false;
  /** Size of the tree that it saw last. */
  size = 0;
  #dueMs = 0;
  #failures = 0;
  #rows: readonly LogWitnessRow[];

  constructor(
    { url, witnesses }: AskedWitnesses,
    stored: { readonly epoch: number; readonly rows: readonly LogWitnessRow[] },
  ) {
    this.url = url;
    this.witnesses = witnesses;
    this.#rows = witnesses.map((witness) => {
      const vkey = vkeyText(witness);
      const known = stored.rows.find((row) => row.vkey === vkey);
      const { epoch } = stored;
      return known ?? { epoch, vkey, size: 0, cosigned_at: null, answer: null, answered_at: null };
    });
    this.size = Math.max(0, ...this.#rows.map(({ size }) => size));
  }

  get names(): readonly string[] {
    return this.witnesses.map(({ name }) => name);
  }

  isDue(nowMs: number): boolean {
    return !this.isBusy && this.#dueMs <= nowMs;
  }

  /**
   * Notes an answer.
   * @param at `nowMs`: of the clock; `elapsedMs`: of the one that never goes back
   * @returns the rows that changed by it
   */
  note(
    answer: WitnessAnswer,
    at: { readonly nowMs: number; readonly elapsedMs: number },
    cosignatures: readonly KeptCosignature[] = [],
  ): readonly LogWitnessRow[] {
    // One that was down for a while and answers 503 while it starts is not left alone for minutes.
    this.#failures = restAfterMs(answer, 1) === 0 ? 0 : this.#failures + 1;
    this.#dueMs = at.elapsedMs + restAfterMs(answer, this.#failures);
    const before = this.#rows;
    this.#rows = before.map((row, place) => {
      const cosigned = cosignatures.find(({ witness }) => witness === this.witnesses[place]);
      const news = row.answer === answer ? {} : { answer, answered_at: instantText(at.nowMs) };
      if (cosigned === undefined) return row.answer === answer ? row : { ...row, ...news };
      const cosigned_at = instantText(cosigned.time * MS_PER_SECOND);
      return { ...row, ...news, size: this.size, cosigned_at };
    });
    return this.#rows.filter((row, place) => row !== before[place]);
  }

  /** What it answered last. */
  get answer(): string | null {
    return this.#rows[0]?.answer ?? null;
  }
}

export function vkeyText({ key }: PolicyWitness): string {
  return formatVkey(key.name, key.publicKey, WITNESS_KEY_TYPE);
}

/** Each address once, with all its keys; witnesses without an address cannot be asked. */
export function listAddresses({ witnesses }: HubPolicy): readonly AskedWitnesses[] {
  const byUrl = new Map<string, PolicyWitness[]>();
  for (const { witness } of witnesses) {
    if (!isAddress(witness.url)) continue;
    const url = witness.url.replace(/\/+$/, '');
    byUrl.set(url, [...(byUrl.get(url) ?? []), witness]);
  }
  return [...byUrl].map(([url, those]) => ({ url, witnesses: those }));
}
