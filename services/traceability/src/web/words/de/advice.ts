// What a recall notice tells consumers to do, in German.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const advice = {
  what: {
    class_i:
      'Nicht verzehren oder verwenden: Schwere Gesundheitsschäden bis hin zum Tod sind möglich.',
    class_ii: 'Nicht verzehren oder verwenden: Vorübergehende Gesundheitsschäden sind möglich.',
    class_iii:
      'Die betroffenen Produkte nicht verzehren und nicht verwenden, auch wenn Gesundheitsschäden unwahrscheinlich sind.',
    market_withdrawal:
      'Die betroffenen Produkte werden zurückgenommen; Gesundheitsschäden sind unwahrscheinlich.',
    unclassified: 'Die betroffenen Produkte nicht verzehren und nicht verwenden.',
    notSettled:
      'Die betroffenen Produkte nicht verzehren und nicht verwenden, bis feststeht, ob sie sicher sind.',
  },
  giveBack: (brand) => html`Geben Sie sie im Geschäft zurück oder fragen Sie ${brand}.`,
  contact: (brand) => html`So erreichen Sie ${brand}:`,
} satisfies Words['advice'];
