// Mutants of the inbox as an app: what its pages and its worker do in a browser.

const APP = 'services/notifications/src/web/browser/app';

/** @type {readonly import('../mutant.js').Mutant[]} */
export const INBOX_APP_MUTANTS = [
  {
    name: 'a log-out leaves the device at the service',
    file: `${APP}/device.ts`,
    find: "(own.id)}`, { method: 'DELETE' }",
    replacement: "(own.id)}`, { method: 'HEAD' }",
    engine: 'sqlite',
    subject: 'inbox-app',
  },
  {
    name: 'a log-out leaves the subscription in the browser',
    file: `${APP}/device.ts`,
    find: '  await (await findSubscription())?.unsubscribe();\n',
    replacement: '',
    engine: 'sqlite',
    subject: 'inbox-app',
  },
  {
    name: 'what belongs together is shown one beside the other',
    file: `${APP}/pushed.ts`,
    find: "    tag: textAt(message, 'tag') ?? '',",
    replacement: '    tag: String(performance.now()),',
    engine: 'sqlite',
    subject: 'inbox-app',
  },
  {
    name: 'what was tapped stays where it was shown',
    file: `${APP}/worker.ts`,
    find: '  notification.close();\n',
    replacement: '',
    engine: 'sqlite',
    subject: 'inbox-app',
  },
];
