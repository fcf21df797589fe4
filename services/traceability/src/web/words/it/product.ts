// The page of a GTIN, in Italian.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const product = {
  number: (gtin: string) => `GTIN ${gtin}`,
  chooseBrand: 'Quale marchio c’è sulla confezione?',
  severalBrands:
    'Più marchi dichiarano che questo numero è loro. Niente in questa pagina dice che un prodotto sia inalterato o sicuro: scelga prima il marchio.',
  severalProducts: (brand: Html | string) => ['', brand, ' usa questo numero per più prodotti:'],
  ofBrand: (brand: Html | string) => ['Un prodotto di ', brand, '.'],
  whichLot: 'Di quale lotto si tratta?',
  whereLot:
    'Il codice del lotto è stampato sulla confezione, spesso accanto alla data. Può iniziare con L o LOT.',
  lotUnknown: (lot: Html | string) => ['Nessun lotto ', lot, ' di questo prodotto è noto qui.'],
  nothingKnown: 'Di questo numero non si sa nulla',
  nothingKnownAdvice:
    'Nessun marchio ha dichiarato su questa piattaforma che questo numero appartiene a un suo prodotto. Controlli il numero o cerchi il codice del lotto stampato sulla confezione.',
  recalls: 'Richiami di questo prodotto',
  otherBrands: (link: Html | string) => ['Altri marchi usano lo stesso codice di lotto: ', link],
  seeThem: 'vederli',
  more: 'Più prodotti hanno questo numero di quanti ne nomini questa pagina.',
  notTheirs: 'Che questo numero sia del suo prodotto è la dichiarazione di ciascun marchio.',
} satisfies Words['product'];
