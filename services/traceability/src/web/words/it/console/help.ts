// The console, help, in Italian.
import type { Words } from '../../en.ts';
import { chain } from './terms/chain.ts';
import { goods } from './terms/goods.ts';
import { log } from './terms/log.ts';
import { notifications } from './terms/notifications.ts';
import { people } from './terms/people.ts';
import { recall } from './terms/recall.ts';

export const help = {
  title: 'Aiuto',
  lead: 'Primi passi, che cosa può fare ogni ruolo e le parole di queste pagine.',
  firstTitle: 'Primi passi',
  firstLead: 'Da un marchio vuoto alla prima esercitazione di richiamo.',
  mayTitle: 'Che cosa può fare un ruolo',
  right: 'Diritto',
  yours: 'Il suo ruolo: ',
  termsTitle: 'Parole',
  termsLead: 'Ogni parola con un solo significato, come la usano pagine, messaggi e documenti.',
  chapters: {
    goods: 'Merci',
    recall: 'Richiami',
    chain: 'La catena',
    notifications: 'Notifiche e webhook',
    log: 'Il registro pubblico',
    people: 'Persone e chiavi',
  },
  docsTitle: 'Altro da leggere',
  docs: {
    guide: 'Guida per chi collega un sistema',
    worked: 'Un esempio completo, dalla consegna al richiamo',
    compliance: 'Che cosa chiedono leggi e norme, e che cosa vi risponde',
    trust: 'Che cosa si può provare, e a chi',
    glossary: 'Tutte le parole del progetto',
  },
  docsEnglish: 'Questi documenti sono in inglese.',
  yes: 'sì',
  no: 'no',
  // A file for each chapter of the glossary.
  terms: { goods, recall, chain, notifications, log, people },
} satisfies Words['console']['help'];
