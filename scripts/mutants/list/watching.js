// Mutants of notifications of recalls: consent, what is sent to whom, and what ends.

/** @type {readonly import('../mutant.js').Mutant[]} */
export const WATCHING_MUTANTS = [
  {
    name: 'who watches hears of a case in confidence',
    file: 'services/traceability/src/ledger/watching/notify-watchers.ts',
    find: "  return isHidden(step.recallCase) ? [] : [insertMessage(step, 'opened', { notifiesAll: 1 })];",
    replacement: "  return [insertMessage(step, 'opened', { notifiesAll: 1 })];",
    engine: 'sqlite',
    subject: 'watching',
  },
  {
    name: 'the link of a mail confirms when it is opened for another purpose',
    file: 'services/traceability/src/watching/links.ts',
    find: "    const said = [purpose, watchId, untilMs ?? ''].join('\\n');",
    replacement: "    const said = [purpose && '', watchId, untilMs ?? ''].join('\\n');",
    engine: 'sqlite',
    subject: 'watching',
  },
  {
    name: 'whoever asks often enough floods an address with mails',
    file: 'services/traceability/src/watching/asking.ts',
    find: 'sumAsked(known) >= ASKED_PER_ADDRESS_MAX',
    replacement: 'sumAsked(known) < 0',
    engine: 'both',
    subject: 'watching',
  },
  {
    name: 'a lot of another brand is told of',
    file: 'services/traceability/src/watching/sending/message-queries.ts',
    find: "    where tenant_id = ${page.tenantId} and status = 'active' and id > ${page.after}",
    replacement: "    where ${page.tenantId} <> '' and status = 'active' and id > ${page.after}",
    engine: 'both',
    subject: 'watching',
  },
  {
    name: 'a browser that is gone is kept',
    file: 'services/traceability/src/watching/sending/worker.ts',
    find: '        await store.write([deleteAddress(address)]);',
    replacement: '        await store.write([endDelivery(delivery)]);\n        void deleteAddress;',
    engine: 'sqlite',
    subject: 'watching',
  },
  {
    name: 'one watcher of a lot is shown as one',
    file: 'services/traceability/src/watching/watches.ts',
    find: "  return count > 0 && count < COUNT_SHOWN_MIN ? 'few' : count;",
    replacement: "  return count > 0 && count < COUNT_SHOWN_MIN - 3 ? 'few' : count;",
    engine: 'sqlite',
    subject: 'watching',
  },
  {
    name: 'an address that refuses for ever is kept for ever',
    file: 'services/traceability/src/watching/sending/worker.ts',
    find: '    deleteRefused(address, REFUSALS_MAX),',
    replacement: '    deleteRefused(address, REFUSALS_MAX * 100),',
    engine: 'sqlite',
    subject: 'watching',
  },
];
