// The console, help, in German.
import type { Words } from '../../en.ts';
import { chain } from './terms/chain.ts';
import { goods } from './terms/goods.ts';
import { log } from './terms/log.ts';
import { notifications } from './terms/notifications.ts';
import { people } from './terms/people.ts';
import { recall } from './terms/recall.ts';

export const help = {
  title: 'Hilfe',
  lead: 'Erste Schritte, was jede Rolle darf, und die Wörter dieser Seiten.',
  firstTitle: 'Erste Schritte',
  firstLead: 'Von der leeren Marke zur ersten Rückrufübung.',
  mayTitle: 'Was eine Rolle darf',
  right: 'Recht',
  yours: 'Ihre Rolle: ',
  termsTitle: 'Begriffe',
  termsLead: 'Jedes Wort mit einer Bedeutung, so wie Seiten, Meldungen und Dokumente es verwenden.',
  chapters: {
    goods: 'Ware',
    recall: 'Rückrufe',
    chain: 'Die Kette',
    notifications: 'Benachrichtigungen und Webhooks',
    log: 'Das öffentliche Protokoll',
    people: 'Personen und Schlüssel',
  },
  docsTitle: 'Mehr zum Lesen',
  docs: {
    guide: 'Leitfaden für alle, die ein System anbinden',
    worked: 'Ein durchgerechnetes Beispiel, von der Lieferung bis zum Rückruf',
    compliance: 'Was Gesetze und Standards verlangen, und was darauf antwortet',
    trust: 'Was sich wem beweisen lässt',
    glossary: 'Alle Wörter des Projekts',
  },
  docsEnglish: 'Diese Dokumente sind auf Englisch.',
  yes: 'ja',
  no: 'nein',
  // A file for each chapter of the glossary.
  terms: { goods, recall, chain, notifications, log, people },
} satisfies Words['console']['help'];
