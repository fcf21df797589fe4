// What the verification of a lot has to know of other lots: the way of its ancestors to it, and where what
// was made of it was sold. Kept for as long as it is so; whether blocks verify is never kept.
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { LastingAnswers } from '../lots/lasting-answers.ts';
import { readChannelsBeyond, type ChannelsBeyond } from './channels.ts';
import { readWay, type WayToLot } from './way-reader.ts';

/** Lots and heights that are kept of all answers: some megabytes each. */
const KEPT_MAX = 50_000;

export class Surroundings {
  readonly #reader: LedgerReader;
  readonly #ways: LastingAnswers<WayToLot>;
  readonly #channels: LastingAnswers<ChannelsBeyond>;

  constructor(options: { readonly reader: LedgerReader; readonly state: ChainState }) {
    this.#reader = options.reader;
    const { database } = options.reader;
    const kept = { database, state: options.state, weightMax: KEPT_MAX };
    this.#ways = new LastingAnswers(kept);
    this.#channels = new LastingAnswers(kept);
  }

  async find(lot: {
    readonly tenantNo: number;
    readonly lotNo: number;
  }): Promise<{ readonly way: WayToLot; readonly beyond: ChannelsBeyond }> {
    const asked = { tenantNo: lot.tenantNo, key: String(lot.lotNo) };
    const [way, beyond] = await Promise.all([
      this.#ways.get(asked, () => readWay(this.#reader.database, lot)),
      this.#channels.get(asked, () => readChannelsBeyond(this.#reader, lot)),
    ]);
    return { way, beyond };
  }
}
