// Forms that several pages have, in Italian.
import type { Words } from '../en.ts';

export const forms = {
  lotCode: 'Numero di lotto, come stampato sul prodotto',
  showLot: 'Mostra questo lotto',
} satisfies Words['forms'];
