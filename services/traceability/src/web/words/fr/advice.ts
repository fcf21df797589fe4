// What a recall notice tells consumers to do, in French.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const advice = {
  what: {
    class_i: 'Ne pas consommer ni utiliser : risque de troubles graves, voire mortels.',
    class_ii: 'Ne pas consommer ni utiliser : risque de troubles passagers.',
    class_iii:
      'Ne pas consommer ni utiliser les produits concernés, même s’ils ne devraient pas nuire à la santé.',
    market_withdrawal:
      'Les produits concernés sont retirés du marché ; ils ne devraient pas nuire à la santé.',
    unclassified: 'Ne pas consommer ni utiliser les produits concernés.',
    notSettled:
      'Ne pas consommer ni utiliser les produits concernés tant que l’on ne sait pas s’ils sont sûrs.',
  },
  giveBack: (brand) => html`Rapportez-les au point de vente ou adressez-vous à ${brand}.`,
  contact: (brand) => html`Contacter ${brand} :`,
} satisfies Words['advice'];
