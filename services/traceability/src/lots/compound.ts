// Lots whose rows are read in one query, each as a part of a compound.

/** No lot has this number; it fills a compound up to a length that is often used. */
const NO_LOT = -1;

/** Lots filled up to the next power of two, so that few texts of a query are in use. */
export function paddedLots<Lot>(lots: readonly Lot[]): readonly (Lot | number)[] {
  const length = 2 ** Math.ceil(Math.log2(lots.length));
  return [...lots, ...new Array<number>(length - lots.length).fill(NO_LOT)];
}
