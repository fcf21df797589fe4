// Recounts a lot from its lines after some of them changed: quantities, standing, SKU and search
// text. Pure; each engine reads the rows in its own way and writes the result.
import { lotText } from '../record/lot-text.ts';
import { LotTally, type Movement } from '../record/quantities.ts';
import type { RecountedLot } from './group-rows.ts';

export class LotRecount {
  readonly #tally = new LotTally();

  /** Movements of the lot's lines that count, in the order of their blocks and lines. */
  add(movement: Movement): void {
    this.#tally.add(movement);
  }

  result(lot: {
    readonly lotCode: string;
    /** The SKU it was first named with. */
    readonly firstSku: string;
    /** Suppliers and their lot codes, of the provenances that count. */
    readonly terms: Iterable<string>;
  }): RecountedLot {
    const { accounts, standing } = this.#tally;
    const productSku = accounts[0]?.productSku ?? lot.firstSku;
    const skus = accounts.map((account) => account.productSku);
    const text = lotText(lot.lotCode, [productSku, ...skus, ...lot.terms]);
    return { productSku, accounts, standing, text };
  }
}
