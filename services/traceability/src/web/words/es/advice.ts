// What a recall notice tells consumers to do, in Spanish.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const advice = {
  what: {
    class_i:
      'No consuma ni utilice los productos afectados: pueden causar daños graves o la muerte.',
    class_ii: 'No consuma ni utilice los productos afectados: pueden causar daños pasajeros.',
    class_iii:
      'No consuma ni utilice los productos afectados, aunque no es probable que causen daños.',
    market_withdrawal:
      'Los productos afectados se están retirando del mercado; no es probable que causen daños.',
    unclassified: 'No consuma ni utilice los productos afectados.',
    notSettled: 'No consuma ni utilice los productos afectados hasta que se sepa si son seguros.',
  },
  giveBack: (brand) => html`Devuélvalos donde los compró o consulte a ${brand}.`,
  contact: (brand) => html`Cómo contactar con ${brand}:`,
} satisfies Words['advice'];
