// The console, help, in Spanish.
import type { Words } from '../../en.ts';
import { chain } from './terms/chain.ts';
import { goods } from './terms/goods.ts';
import { log } from './terms/log.ts';
import { notifications } from './terms/notifications.ts';
import { people } from './terms/people.ts';
import { recall } from './terms/recall.ts';

export const help = {
  title: 'Ayuda',
  lead: 'Primeros pasos, lo que puede hacer cada rol y las palabras de estas páginas.',
  firstTitle: 'Primeros pasos',
  firstLead: 'De una marca vacía al primer simulacro de retirada.',
  mayTitle: 'Lo que puede hacer un rol',
  right: 'Derecho',
  yours: 'Su rol: ',
  termsTitle: 'Palabras',
  termsLead: 'Cada palabra con un significado, tal como la usan páginas, mensajes y documentos.',
  chapters: {
    goods: 'Mercancía',
    recall: 'Retiradas',
    chain: 'La cadena',
    notifications: 'Notificaciones y webhooks',
    log: 'El registro público',
    people: 'Personas y claves',
  },
  docsTitle: 'Más para leer',
  docs: {
    guide: 'Guía para quien conecta un sistema',
    worked: 'Un ejemplo completo, de la entrega a la retirada',
    compliance: 'Qué piden las leyes y las normas, y qué responde a ello',
    trust: 'Qué se puede demostrar y a quién',
    glossary: 'Todas las palabras del proyecto',
  },
  docsEnglish: 'Estos documentos están en inglés.',
  yes: 'sí',
  no: 'no',
  // A file for each chapter of the glossary.
  terms: { goods, recall, chain, notifications, log, people },
} satisfies Words['console']['help'];
