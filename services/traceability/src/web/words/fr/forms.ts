// Forms that several pages have, in French.
import type { Words } from '../en.ts';

export const forms = {
  lotCode: 'Numéro de lot, tel qu’il est imprimé sur le produit',
  showLot: 'Afficher ce lot',
} satisfies Words['forms'];
