// The page of a GTIN, in French.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const product = {
  number: (gtin: string) => `GTIN ${gtin}`,
  chooseBrand: 'Quelle marque figure sur votre emballage ?',
  severalBrands:
    'Plusieurs marques déclarent que ce numéro est le leur. Rien sur cette page ne dit qu’un produit est inchangé ou sûr : choisissez d’abord la marque.',
  severalProducts: (brand: Html | string) => [
    '',
    brand,
    ' attribue ce numéro à plusieurs produits :',
  ],
  ofBrand: (brand: Html | string) => ['Un produit de ', brand, '.'],
  whichLot: 'De quel lot s’agit-il ?',
  whereLot:
    'Le numéro de lot est imprimé sur l’emballage, souvent près de la date. Il peut commencer par L ou LOT.',
  lotUnknown: (lot: Html | string) => ['Aucun lot ', lot, ' de ce produit n’est connu ici.'],
  nothingKnown: 'On ne sait rien de ce numéro',
  nothingKnownAdvice:
    'Aucune marque n’a déclaré sur cette plateforme que ce numéro est celui d’un de ses produits. Vérifiez le numéro, ou recherchez le numéro de lot imprimé sur l’emballage.',
  recalls: 'Rappels de ce produit',
  otherBrands: (link: Html | string) => [
    'D’autres marques utilisent le même numéro de lot : ',
    link,
  ],
  seeThem: 'les voir',
  more: 'D’autres produits, non cités sur cette page, portent ce numéro.',
  notTheirs: 'Que ce numéro soit celui de son produit est la déclaration de chaque marque.',
} satisfies Words['product'];
