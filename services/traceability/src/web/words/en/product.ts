// The page of a GTIN, in English.
import type { Html } from '@lothub/kit/html';

export const product = {
  number: (gtin: string) => `GTIN ${gtin}`,
  chooseBrand: 'Which brand is on your package?',
  severalBrands:
    'Several brands say that this number is theirs. Nothing here says that a product is unchanged or safe: choose its brand first.',
  severalProducts: (brand: Html | string) => ['', brand, ' gives this number to several products:'],
  ofBrand: (brand: Html | string) => ['A product of ', brand, '.'],
  whichLot: 'Which lot is it?',
  whereLot:
    'The lot code is printed on the package, often beside the date. It may begin with L or LOT.',
  lotUnknown: (lot: Html | string) => ['No lot ', lot, ' of this product is known here.'],
  nothingKnown: 'Nothing is known of this number',
  nothingKnownAdvice:
    'No brand has said on this hub that this number is of a product of theirs. Check the number, or look up the lot code that is printed on the package.',
  recalls: 'Recalls of this product',
  otherBrands: (link: Html | string) => ['Other brands use the same lot code: ', link],
  seeThem: 'see them',
  more: 'More products have this number than this page names.',
  notTheirs: 'That this number is of their product is the word of each brand.',
};
