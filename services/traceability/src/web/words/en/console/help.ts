// The console, help, in English.
import { chain } from './terms/chain.ts';
import { goods } from './terms/goods.ts';
import { log } from './terms/log.ts';
import { notifications } from './terms/notifications.ts';
import { people } from './terms/people.ts';
import { recall } from './terms/recall.ts';

export const help = {
  title: 'Help',
  lead: 'First steps, what each role may do, and the words of these pages.',
  firstTitle: 'First steps',
  firstLead: 'From an empty brand to a first recall drill.',
  mayTitle: 'What a role may do',
  right: 'Right',
  yours: 'Your role: ',
  termsTitle: 'Words',
  termsLead: 'Each word with one meaning, as pages, messages and documents use it.',
  chapters: {
    goods: 'Goods',
    recall: 'Recalls',
    chain: 'The chain',
    notifications: 'Notifications and webhooks',
    log: 'The public log',
    people: 'People and keys',
  },
  docsTitle: 'More to read',
  docs: {
    guide: 'Guide for whoever connects a system',
    worked: 'A worked example, from the delivery to the recall',
    compliance: 'What laws and standards ask for, and what answers it',
    trust: 'What can be proven, and to whom',
    glossary: 'All words of the project',
  },
  docsEnglish: 'These documents are in English.',
  yes: 'yes',
  no: 'no',
  // A file for each chapter of the glossary.
  terms: { goods, recall, chain, notifications, log, people },
};
