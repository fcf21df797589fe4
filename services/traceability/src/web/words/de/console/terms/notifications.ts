// Terms of the glossary: notifications and webhooks, in German.
import type { Words } from '../../../en.ts';

export const notifications = {
  words: {
    group: 'Gruppe',
    webhook: 'Webhook',
    webhookDelivery: 'Zustellung',
    attempt: 'Versuch',
    webhookSecret: 'Geheimnis eines Webhooks',
  },
  sentences: {
    group:
      'Menschen, die dieselben Benachrichtigungen lesen, und die Schlüssel, die ihnen welche senden.',
    webhook:
      'Eine Adresse, die die Benachrichtigungen einer Gruppe erhält oder was in einer Marke geschieht.',
    webhookDelivery:
      'Eine Nachricht auf dem Weg zu einem Webhook, mit einer Kennung für alle ihre Versuche.',
    attempt: 'Eine Anfrage einer Zustellung, und was daraus wurde.',
    webhookSecret:
      'Unterschreibt jede Anfrage an einen Webhook; damit prüft der Empfänger, wer sie gesendet hat.',
  },
} satisfies Words['console']['help']['terms']['notifications'];
