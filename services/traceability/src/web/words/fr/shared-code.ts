// The page of a lot code that several brands use, in French.
import type { Words } from '../en.ts';

export const sharedCode = {
  title: (code) => `Lot ${code} : quelle marque ?`,
  lead: 'Plusieurs marques utilisent ce numéro de lot. De quelle marque est votre produit ?',
  notices: 'Rappels en cours pour ce numéro de lot',
  allNotices: 'Tous les rappels pour ce numéro de lot',
  choose: 'Choisissez la marque de votre produit',
  nothingSaid:
    'Rien sur cette page ne dit qu’un produit est inchangé ou sûr : choisissez d’abord sa marque.',
  openRecall: 'rappel en cours',
  openRecalls: (count) => `${count} rappels en cours`,
  firstBrands: (count) => `Voici les ${count} premières marques qui utilisent ce numéro.`,
  lotCode: 'Numéro de lot',
  brandId: 'Marque, par son identifiant sur cette plateforme',
} satisfies Words['sharedCode'];
