// The console, the list of lots, in French.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const lots = {
  title: 'Lots',
  statuses: {
    active: 'Actif',
    depleted: 'Épuisé',
    disposed: 'Éliminé',
    recalled: 'Rappelé',
  },
  holdStatuses: { released: 'Non bloqué', on_hold: 'Bloqué' },
  lead: 'Ce qui a été reçu, fabriqué et conditionné, le plus récent d’abord.',
  search: 'Lot, référence article, produit, lot du fournisseur ou pièce',
  status: 'Statut',
  hold: 'Blocage',
  columns: 'Colonnes',
  lot: 'Lot',
  product: 'Produit',
  state: 'État',
  csv: 'CSV',
  count: (count: string, lots: number) => (lots < 2 ? `${count} lot` : `${count} lots`),
  more: (count: number) => `+${count} autres`,
  byName: (names: Html) => html`aussi de ${names}`,
  none: 'Aucun lot ne correspond.',
  noneAdvice: 'Essayez une partie plus courte du code, ou effacez les filtres.',
  empty:
    'Il n’y a pas encore de lot. Les lots apparaissent avec le premier événement qui les nomme.',
  importFirst: 'Importer un fichier',
  recordFirst: 'Saisir un événement',
  overIssued: 'Il est sorti plus qu’il n’est entré',
} satisfies Words['console']['lots'];
