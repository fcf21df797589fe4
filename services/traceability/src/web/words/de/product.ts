// The page of a GTIN, in German.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const product = {
  number: (gtin: string) => `GTIN ${gtin}`,
  chooseBrand: 'Welche Marke steht auf Ihrer Packung?',
  severalBrands:
    'Mehrere Marken geben an, dass diese Nummer zu ihnen gehört. Nichts auf dieser Seite besagt, dass ein Produkt unverändert oder sicher ist: Wählen Sie zuerst die Marke.',
  severalProducts: (brand: Html | string) => [
    '',
    brand,
    ' verwendet diese Nummer für mehrere Produkte:',
  ],
  ofBrand: (brand: Html | string) => ['Ein Produkt von ', brand, '.'],
  whichLot: 'Welche Charge ist es?',
  whereLot:
    'Die Chargennummer ist auf der Packung aufgedruckt, oft neben dem Datum. Sie kann mit L oder LOT beginnen.',
  lotUnknown: (lot: Html | string) => [
    'Eine Charge ',
    lot,
    ' dieses Produkts ist hier nicht bekannt.',
  ],
  nothingKnown: 'Über diese Nummer ist nichts bekannt',
  nothingKnownAdvice:
    'Keine Marke hat auf dieser Plattform angegeben, dass diese Nummer zu einem ihrer Produkte gehört. Prüfen Sie die Nummer, oder suchen Sie nach der Chargennummer auf der Packung.',
  recalls: 'Rückrufe dieses Produkts',
  otherBrands: (link: Html | string) => ['Andere Marken verwenden dieselbe Chargennummer: ', link],
  seeThem: 'ansehen',
  more: 'Mehr Produkte haben diese Nummer, als diese Seite nennt.',
  notTheirs: 'Dass diese Nummer zu ihrem Produkt gehört, ist die Angabe jeder Marke.',
} satisfies Words['product'];
