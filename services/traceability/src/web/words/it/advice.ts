// What a recall notice tells consumers to do, in Italian.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const advice = {
  what: {
    class_i: 'Non consumare né utilizzare: possibili danni gravi o mortali per la salute.',
    class_ii: 'Non consumare né utilizzare: possibili danni temporanei per la salute.',
    class_iii:
      'Non consumare né utilizzare i prodotti interessati, anche se è improbabile che causino danni.',
    market_withdrawal:
      'I prodotti interessati vengono ritirati dal mercato; è improbabile che causino danni.',
    unclassified: 'Non consumare né utilizzare i prodotti interessati.',
    notSettled:
      'Non consumare né utilizzare i prodotti interessati finché non si sa se sono sicuri.',
  },
  giveBack: (brand) => html`Li riporti al punto vendita o si rivolga a ${brand}.`,
  contact: (brand) => html`Come contattare ${brand}:`,
} satisfies Words['advice'];
