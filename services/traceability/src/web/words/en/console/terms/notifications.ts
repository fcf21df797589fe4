// Terms of the glossary: notifications and webhooks, in English.

export const notifications = {
  words: {
    group: 'group',
    webhook: 'webhook',
    webhookDelivery: 'delivery',
    attempt: 'attempt, try',
    webhookSecret: 'webhook secret',
  },
  sentences: {
    group: 'People who read the same notifications, and the keys that post to them.',
    webhook: 'An address that gets the notifications of a group, or what happens in a brand.',
    webhookDelivery: 'One message on its way to one webhook, with one id over all its tries.',
    attempt: 'One request of a delivery, and what came of it.',
    webhookSecret:
      'Signs each request to a webhook; with it the receiver checks who sent the request.',
  },
};
