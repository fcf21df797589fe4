// What a reader sees when a page cannot be shown, in French.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const errors = {
  notFound: {
    title: 'Rien n’est connu à ce sujet',
    advice:
      'Il n’y a ici ni lot, ni rappel en cours, ni bloc de ce nom. Vérifiez l’orthographe : les majuscules et les minuscules comptent dans les numéros de lot.',
  },
  noPage: {
    title: 'Il n’y a pas de page à cette adresse',
    advice: 'Vérifiez l’adresse, ou cherchez ici le lot indiqué sur votre emballage.',
  },
  invalid: {
    title: 'Cette adresse n’est pas valable',
    advice: 'Recommencez à partir du formulaire ci-dessous.',
  },
  tooMany: {
    title: 'Trop de demandes',
    advice:
      'Cette plateforme ne répond qu’à un nombre limité de demandes par minute. Attendez une minute, puis réessayez.',
  },
  otherwise: {
    title: 'Cette page ne peut pas être affichée pour le moment',
    advice: 'La plateforme n’a pas pu répondre. Réessayez dans une minute.',
  },
  didYouMean: (links) => html`Vouliez-vous dire ${links} ?`,
} satisfies Words['errors'];
