// What a recall notice tells consumers to do, in English: by how bad it is, as of lots/notices/advice.ts.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Severity } from '../../../terms.ts';

const what: Readonly<Record<Severity | 'notSettled', string>> = {
  class_i: 'Do not eat or use the products concerned: they may cause serious harm or death.',
  class_ii: 'Do not eat or use the products concerned: they may cause temporary harm.',
  class_iii:
    'Do not eat or use the products concerned, although they are not likely to cause harm.',
  market_withdrawal:
    'The products concerned are being taken back; they are not likely to cause harm.',
  unclassified: 'Do not eat or use the products concerned.',
  notSettled: 'Do not eat or use the products concerned until it is known whether they are safe.',
};

export const advice = {
  what,
  giveBack: (brand: Html) => html`Take them back to where you got them, or ask ${brand}.`,
  contact: (brand: Html) => html`How to reach ${brand}:`,
};
