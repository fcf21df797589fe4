// Forms that several pages have, in English.
export const forms = {
  lotCode: 'Lot code, as printed on the product',
  showLot: 'Show this lot',
};
