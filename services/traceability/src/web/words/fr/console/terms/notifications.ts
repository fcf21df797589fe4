// Terms of the glossary: notifications and webhooks, in French.
import type { Words } from '../../../en.ts';

export const notifications = {
  words: {
    group: 'groupe',
    webhook: 'webhook',
    webhookDelivery: 'envoi',
    attempt: 'essai',
    webhookSecret: 'secret d’un webhook',
  },
  sentences: {
    group: 'Des personnes qui lisent les mêmes notifications, et les clés qui y publient.',
    webhook:
      'Une adresse qui reçoit les notifications d’un groupe, ou ce qui se passe dans une marque.',
    webhookDelivery:
      'Un message en route vers un webhook, avec un identifiant pour tous ses essais.',
    attempt: 'Une requête d’un envoi, et ce qu’il en est advenu.',
    webhookSecret:
      'Signe chaque requête vers un webhook ; avec lui, le destinataire vérifie qui l’a envoyée.',
  },
} satisfies Words['console']['help']['terms']['notifications'];
