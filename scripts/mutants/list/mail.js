// Mutants of mail: what a server's answer means, what is mailed to whom and when, and what ends it.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const MAIL_MUTANTS = [
  {
    name: "a mail server's own trouble counts against the address",
    file: 'packages/delivery/src/mail/smtp-answer.ts',
    find: "if (step !== 'recipient' && step !== 'content') return false;",
    replacement: "if (step === 'connection') return false;",
    engine: 'sqlite',
    subject: 'mail',
  },
  {
    name: 'a refusal of policy counts against the address',
    file: 'packages/delivery/src/mail/smtp-answer.ts',
    find: 'return enhanced === undefined || ABOUT_ADDRESS.test(enhanced);',
    replacement: 'return enhanced === undefined || enhanced.length > 0;',
    engine: 'sqlite',
    subject: 'mail',
  },
  {
    name: 'a mail goes without the encryption that is required',
    file: 'packages/delivery/src/mail/settings.ts',
    find: "return isLoopback ? 'none' : 'starttls';",
    replacement: "return isLoopback ? 'none' : 'none';",
    engine: 'sqlite',
    subject: 'mail',
  },
  {
    name: 'a title turns around what follows it in a subject',
    file: 'packages/delivery/src/mail/mailer.ts',
    find: "    .replaceAll(/[\\u200E\\u200F\\u061C\\u202A-\\u202E\\u2066-\\u2069]/gu, '')\n",
    replacement: '',
    engine: 'sqlite',
    subject: 'mail',
  },
  {
    name: 'what was acknowledged is mailed',
    file: 'services/notifications/src/mail/mail-outbox.ts',
    find: 'row.redactedAt !== null || row.isAcknowledged === 1',
    replacement: 'row.redactedAt !== null',
    engine: 'both',
    subject: 'mail',
  },
  {
    name: 'somebody who left the group is mailed what was posted there',
    file: 'services/notifications/src/mail/mail-outbox.ts',
    find: 'if (readUpTo === null) return [];',
    replacement: 'if (readUpTo === -1) return [];',
    engine: 'both',
    subject: 'mail',
  },
  {
    name: 'the limit of an hour holds nobody up',
    file: 'services/notifications/src/mail/receiver-queries.ts',
    find: 'or hour_mails < ${mailsMax})',
    replacement: 'or hour_mails < ${mailsMax} + hour_mails)',
    engine: 'both',
    subject: 'mail',
  },
  {
    name: 'a mail that is sent again is another mail',
    file: 'services/notifications/src/mail/notification-mail.ts',
    find: "sha256Hex(ids.join('\\n'))",
    replacement: 'sha256Hex(String(Math.random()))',
    engine: 'sqlite',
    subject: 'mail',
  },
  {
    name: 'the link of anybody ends the mails of anybody',
    file: 'services/notifications/src/mail/unsubscribe-token.ts',
    find: 'timingSafeEqual(given, right) ? receiverId : undefined',
    replacement: 'given.length > 0 ? receiverId : undefined',
    engine: 'sqlite',
    subject: 'mail',
  },
  {
    name: 'opening the link ends the mails',
    file: 'services/notifications/src/web/person/mail-page-routes.ts',
    find: 'const { status } = await getReceiver(store, receiverIn(token));',
    replacement:
      'const { status } = await getReceiver(store, receiverIn(token));\n' +
      '    await turnReceiverOff(deps.mail, receiverIn(token));',
    engine: 'sqlite',
    subject: 'mail',
  },
];
