// The console, the list of lots, in German.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const lots = {
  title: 'Chargen',
  statuses: {
    active: 'Aktiv',
    depleted: 'Aufgebraucht',
    disposed: 'Entsorgt',
    recalled: 'Zurückgerufen',
  },
  holdStatuses: { released: 'Frei', on_hold: 'Gesperrt' },
  lead: 'Was angenommen, hergestellt und verpackt wurde, das Neueste zuerst.',
  search: 'Charge, Artikelnummer, Produkt, Lieferantencharge oder Beleg',
  status: 'Status',
  hold: 'Sperre',
  columns: 'Spalten',
  lot: 'Charge',
  product: 'Produkt',
  state: 'Zustand',
  csv: 'CSV',
  count: (count: string, lots: number) => (lots === 1 ? `${count} Charge` : `${count} Chargen`),
  more: (count: number) => `+${count} weitere`,
  byName: (names: Html) => html`auch von ${names}`,
  none: 'Keine Charge passt dazu.',
  noneAdvice: 'Versuchen Sie es mit einem kürzeren Teil der Nummer, oder löschen Sie die Filter.',
  empty: 'Es gibt noch keine Charge. Chargen erscheinen mit dem ersten Ereignis, das sie nennt.',
  importFirst: 'Datei importieren',
  recordFirst: 'Ereignis erfassen',
  overIssued: 'Mehr ging hinaus, als hereinkam',
} satisfies Words['console']['lots'];
