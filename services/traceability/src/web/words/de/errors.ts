// What a reader sees when a page cannot be shown, in German.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const errors = {
  notFound: {
    title: 'Dazu ist nichts bekannt',
    advice:
      'Diese Charge, diesen offenen Rückruf oder diesen Block gibt es hier nicht. Prüfen Sie die Schreibweise: Bei Chargennummern kommt es auf Groß- und Kleinschreibung an.',
  },
  noPage: {
    title: 'Unter dieser Adresse gibt es keine Seite',
    advice: 'Prüfen Sie die Adresse, oder suchen Sie hier die Charge auf Ihrer Packung.',
  },
  invalid: {
    title: 'Diese Adresse ist ungültig',
    advice: 'Beginnen Sie noch einmal mit dem Formular unten.',
  },
  tooMany: {
    title: 'Zu viele Anfragen',
    advice:
      'Die Plattform beantwortet nur eine begrenzte Zahl von Anfragen pro Minute. Warten Sie eine Minute und versuchen Sie es erneut.',
  },
  otherwise: {
    title: 'Diese Seite kann gerade nicht angezeigt werden',
    advice: 'Die Plattform konnte nicht antworten. Versuchen Sie es in einer Minute erneut.',
  },
  didYouMean: (links) => html`Meinten Sie ${links}?`,
} satisfies Words['errors'];
