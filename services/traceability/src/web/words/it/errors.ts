// What a reader sees when a page cannot be shown, in Italian.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const errors = {
  notFound: {
    title: 'Non risulta nulla',
    advice:
      'Qui non esiste un lotto, un richiamo in corso o un blocco con questo nome. Controlli come è scritto: nei numeri di lotto maiuscole e minuscole contano.',
  },
  noPage: {
    title: 'A questo indirizzo non c’è nessuna pagina',
    advice: 'Controlli l’indirizzo, oppure cerchi qui il lotto indicato sulla Sua confezione.',
  },
  invalid: {
    title: 'Questo indirizzo non è valido',
    advice: 'Ricominci dal modulo qui sotto.',
  },
  tooMany: {
    title: 'Troppe richieste',
    advice:
      'Questa piattaforma risponde solo a un numero limitato di richieste al minuto. Attenda un minuto e riprovi.',
  },
  otherwise: {
    title: 'Al momento questa pagina non può essere mostrata',
    advice: 'La piattaforma non ha potuto rispondere. Riprovi tra un minuto.',
  },
  didYouMean: (links) => html`Forse cercava ${links}?`,
} satisfies Words['errors'];
