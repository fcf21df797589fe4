// The console, help, in French.
import type { Words } from '../../en.ts';
import { chain } from './terms/chain.ts';
import { goods } from './terms/goods.ts';
import { log } from './terms/log.ts';
import { notifications } from './terms/notifications.ts';
import { people } from './terms/people.ts';
import { recall } from './terms/recall.ts';

export const help = {
  title: 'Aide',
  lead: 'Premiers pas, ce que chaque rôle peut faire, et les mots de ces pages.',
  firstTitle: 'Premiers pas',
  firstLead: 'D’une marque vide au premier exercice de rappel.',
  mayTitle: 'Ce qu’un rôle peut faire',
  right: 'Droit',
  yours: 'Votre rôle : ',
  termsTitle: 'Termes',
  termsLead: 'Chaque mot a un seul sens, celui des pages, des messages et des documents.',
  chapters: {
    goods: 'Marchandises',
    recall: 'Rappels',
    chain: 'La chaîne',
    notifications: 'Notifications et webhooks',
    log: 'Le journal public',
    people: 'Personnes et clés',
  },
  docsTitle: 'Pour en lire plus',
  docs: {
    guide: 'Guide pour raccorder un système',
    worked: 'Un exemple complet, de la livraison au rappel',
    compliance: 'Ce que demandent les lois et les normes, et ce qui y répond',
    trust: 'Ce qui peut être prouvé, et à qui',
    glossary: 'Tous les mots du projet',
  },
  docsEnglish: 'Ces documents sont en anglais.',
  yes: 'oui',
  no: 'non',
  // A file for each chapter of the glossary.
  terms: { goods, recall, chain, notifications, log, people },
} satisfies Words['console']['help'];
