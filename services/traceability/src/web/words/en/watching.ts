// Notifications of recalls of a lot or a product: the part of public pages, its own pages, mails and messages to
// devices, in English.
import type { Html } from '@lothub/kit/html';

type Part = string | Html;

export const watching = {
  title: 'Tell me if this is recalled',
  intro: 'You get a message once a recall is opened, changes or ends. Nothing else is sent.',
  what: 'What to watch',
  thisLot: 'This lot',
  thisProduct: 'Every lot of this product',
  email: 'E-mail address',
  byMail: 'Send me a link to confirm',
  onDevice: 'Notify me on this device',
  offDevice: 'Stop notifying me on this device',
  deviceAdded: 'This device gets notifications.',
  deviceEnded: 'This device gets no notifications any more.',
  deviceBlocked:
    'Your browser blocks notifications of this page. Allow them in its settings first.',
  deviceFailed: 'This did not work. Try again in a moment.',
  kept: 'Kept are your address, your language and what you watch, until you end it.',
  keptOfMe: 'See or end what is kept of me',

  lotName: (code: string, brand: string) => `lot ${code} of ${brand}`,
  productName: (product: string, brand: string) => `${product} of ${brand}`,

  asked: {
    title: 'Look into your mailbox',
    text: 'If this address does not watch it yet, a mail with a link is on its way. The link is good for 48 hours. Nothing is kept for longer unless you confirm it.',
  },
  listed: {
    title: 'Look into your mailbox',
    text: 'If something is kept of this address, a mail with a link to it is on its way. The link is good for one hour; it is sent every six hours at most.',
  },
  confirm: {
    title: 'Get recall alerts',
    text: (name: Part) => ['You will get a message if ', name, ' is recalled.'],
    button: 'Yes, notify me',
    done: 'You will get recall alerts',
    doneText:
      'Each mail has a link that ends it. After two years you are asked once whether it should go on.',
    recalledNow: 'There is a recall now:',
    see: 'What is known now',
  },
  end: {
    title: 'End it?',
    text: (name: Part) => ['You get a message if ', name, ' is recalled.'],
    button: 'Stop alerts',
    done: 'It has ended',
    doneText: 'Nothing of it is kept.',
  },
  renew: {
    title: 'Go on for two more years?',
    text: (name: Part, date: Part) => [
      'You get a message if ',
      name,
      ' is recalled. Without an answer this ends on ',
      date,
      '.',
    ],
    button: 'Go on',
    done: 'It goes on for two years',
  },
  list: {
    title: 'What is kept of you',
    intro: (address: Part) => ['This is all that is kept of ', address, ':'],
    none: 'Nothing is kept of this address.',
    until: (date: Part) => ['until ', date],
    pending: 'not confirmed yet',
    endOne: 'End',
    endAll: 'End all of it',
  },
  ask: {
    title: 'What is kept of me',
    text: 'Give the address that gets recall alerts. You get a link to all that is kept of it, and can end them there. In a browser that gets alerts, end them on the page of the lot or product.',
    button: 'Send me the link',
  },
  gone: {
    title: 'This link leads nowhere any more',
    text: 'It has been used, its time is over, or what it belongs to has ended. Nothing is kept of what has ended.',
  },

  mails: {
    confirm: {
      subject: (name: string) => `Please confirm: recall alerts for ${name}`,
      text: 'Somebody, probably you, has asked for recall alerts to this address. Open the link and press the button within 48 hours. If it was not you, do nothing: then nothing is sent, and the address is deleted.',
      button: 'Confirm',
    },
    list: {
      subject: 'What is kept of you',
      text: 'Somebody, probably you, has asked for what is kept of this address. The link is good for one hour.',
      button: 'See or end it',
    },
    renew: {
      subject: (name: string) => `Do you still want recall alerts for ${name}?`,
      text: (date: string) =>
        `You have had recall alerts for almost two years. Without an answer they end on ${date}, and your address is deleted.`,
      button: 'Go on',
    },
    welcome: {
      subject: (name: string) => `You get recall alerts for ${name}`,
      text: 'This is how it will look.',
    },
    recall: {
      opened: (name: string) => `Recall: ${name}`,
      widened: (name: string) => `Recall: ${name}`,
      moved: (name: string) => `Recall, new state: ${name}`,
      edited: (name: string) => `Recall, new details: ${name}`,
      left: (name: string) => `No longer part of a recall: ${name}`,
      closed: (name: string) => `Recall has ended: ${name}`,
      cancelled: (name: string) => `Recall was called off: ${name}`,
    },
    leftText: 'The brand has found that this lot is not concerned.',
    reason: (text: string) => `Reason (in the words of the brand): ${text}`,
    lots: (codes: string) => `Lots: ${codes}`,
    giveBack: (brand: string) => `Take it back to where you got it, or ask ${brand}.`,
    read: 'The whole notice',
    why: (name: string) => `You get this because you asked for recall alerts for ${name}.`,
    stop: 'Stop alerts',
    all: 'What is kept of me',
  },
};
