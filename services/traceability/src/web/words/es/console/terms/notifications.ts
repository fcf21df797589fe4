// Terms of the glossary: notifications and webhooks, in Spanish.
import type { Words } from '../../../en.ts';

export const notifications = {
  words: {
    group: 'grupo',
    webhook: 'webhook',
    webhookDelivery: 'envío',
    attempt: 'intento',
    webhookSecret: 'secreto de un webhook',
  },
  sentences: {
    group: 'Personas que leen las mismas notificaciones, y las claves que publican en él.',
    webhook:
      'Una dirección que recibe las notificaciones de un grupo, o lo que ocurre en una marca.',
    webhookDelivery:
      'Un mensaje en camino hacia un webhook, con un identificador para todos sus intentos.',
    attempt: 'Una petición de un envío, y lo que resultó de ella.',
    webhookSecret:
      'Firma cada petición a un webhook; con él, el destinatario comprueba quién la envió.',
  },
} satisfies Words['console']['help']['terms']['notifications'];
