// The console, the list of lots, in Italian.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const lots = {
  title: 'Lotti',
  statuses: {
    active: 'Attivo',
    depleted: 'Esaurito',
    disposed: 'Smaltito',
    recalled: 'Richiamato',
  },
  holdStatuses: { released: 'Non bloccato', on_hold: 'Bloccato' },
  lead: 'Ciò che è stato ricevuto, prodotto e confezionato, dal più recente.',
  search: 'Lotto, SKU, prodotto, lotto del fornitore o riferimento',
  status: 'Stato',
  hold: 'Blocco',
  columns: 'Colonne',
  lot: 'Lotto',
  product: 'Prodotto',
  state: 'Situazione',
  csv: 'CSV',
  count: (count: string, lots: number) => (lots === 1 ? `${count} lotto` : `${count} lotti`),
  more: (count: number) => `+${count} altri`,
  byName: (names: Html) => html`anche di ${names}`,
  none: 'Nessun lotto corrisponde.',
  noneAdvice: 'Provi con una parte più breve del codice, o tolga i filtri.',
  empty: 'Non c’è ancora nessun lotto. I lotti compaiono con il primo evento che li nomina.',
  importFirst: 'Importa un file',
  recordFirst: 'Registra un evento',
  overIssued: 'È uscito più di quanto è entrato',
} satisfies Words['console']['lots'];
