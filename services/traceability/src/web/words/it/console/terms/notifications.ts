// Terms of the glossary: notifications and webhooks, in Italian.
import type { Words } from '../../../en.ts';

export const notifications = {
  words: {
    group: 'gruppo',
    webhook: 'webhook',
    webhookDelivery: 'consegna',
    attempt: 'tentativo',
    webhookSecret: 'segreto di un webhook',
  },
  sentences: {
    group: 'Persone che leggono le stesse notifiche, e le chiavi che vi pubblicano.',
    webhook: 'Un indirizzo che riceve le notifiche di un gruppo, o ciò che accade in un marchio.',
    webhookDelivery:
      'Un messaggio in viaggio verso un webhook, con un identificativo per tutti i suoi tentativi.',
    attempt: 'Una richiesta di una consegna, e ciò che ne è risultato.',
    webhookSecret:
      'Firma ogni richiesta a un webhook; con esso il destinatario verifica chi l’ha inviata.',
  },
} satisfies Words['console']['help']['terms']['notifications'];
