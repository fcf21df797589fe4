// Forms that several pages have, in German.
import type { Words } from '../en.ts';

export const forms = {
  lotCode: 'Chargennummer, wie auf dem Produkt aufgedruckt',
  showLot: 'Charge anzeigen',
} satisfies Words['forms'];
