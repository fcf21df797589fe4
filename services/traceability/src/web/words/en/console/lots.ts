// The console, the list of lots, in English.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
export const lots = {
  title: 'Lots',
  statuses: {
    active: 'Active',
    depleted: 'Used up',
    disposed: 'Disposed of',
    recalled: 'Recalled',
  },
  holdStatuses: { released: 'Not on hold', on_hold: 'On hold' },
  lead: 'What was received, made and packed, newest first.',
  search: 'Lot, SKU, product, supplier’s lot or reference',
  status: 'Status',
  hold: 'Hold',
  columns: 'Columns',
  lot: 'Lot',
  product: 'Product',
  state: 'State',
  csv: 'CSV',
  count: (count: string, lots: number) => (lots === 1 ? `${count} lot` : `${count} lots`),
  more: (count: number) => `+${count} more`,
  byName: (names: Html) => html`also of ${names}`,
  none: 'No lot matches.',
  noneAdvice: 'Try a shorter part of its code, or clear the filters.',
  empty: 'There is no lot yet. Lots appear with the first event that names them.',
  importFirst: 'Import a file',
  recordFirst: 'Record an event',
  overIssued: 'More went out than came in',
};
