// Notifications of recalls of a lot or a product: the part of public pages, its own pages, mails and messages to
// devices, in German.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

type Part = string | Html;

export const watching: Words['watching'] = {
  title: 'Bei einem Rückruf Bescheid bekommen',
  intro:
    'Sie bekommen Bescheid, wenn ein Rückruf beginnt, sich ändert oder endet. Sonst wird nichts gesendet.',
  what: 'Was beobachtet wird',
  thisLot: 'Diese Charge',
  thisProduct: 'Alle Chargen dieses Produkts',
  email: 'E-Mail-Adresse',
  byMail: 'Link zum Bestätigen senden',
  onDevice: 'Auf diesem Gerät melden',
  offDevice: 'Auf diesem Gerät nicht mehr melden',
  deviceAdded: 'Dieses Gerät bekommt Bescheid.',
  deviceEnded: 'Dieses Gerät bekommt keinen Bescheid mehr.',
  deviceBlocked:
    'Ihr Browser lässt Benachrichtigungen dieser Seite nicht zu. Erlauben Sie sie zuerst in seinen Einstellungen.',
  deviceFailed: 'Das hat nicht geklappt. Versuchen Sie es gleich noch einmal.',
  kept: 'Gespeichert werden Ihre Adresse, Ihre Sprache und was Sie beobachten, bis Sie es beenden.',
  keptOfMe: 'Ansehen oder beenden, was über mich gespeichert ist',

  lotName: (code: string, brand: string) => `Charge ${code} von ${brand}`,
  productName: (product: string, brand: string) => `${product} von ${brand}`,

  asked: {
    title: 'Sehen Sie in Ihr Postfach',
    text: 'Wenn diese Adresse das noch nicht beobachtet, ist eine E-Mail mit einem Link unterwegs. Der Link gilt 48 Stunden. Länger bleibt nichts gespeichert, wenn Sie nicht bestätigen.',
  },
  listed: {
    title: 'Sehen Sie in Ihr Postfach',
    text: 'Wenn zu dieser Adresse etwas gespeichert ist, ist eine E-Mail mit einem Link dorthin unterwegs. Der Link gilt eine Stunde und wird höchstens alle sechs Stunden gesendet.',
  },
  confirm: {
    title: 'Bei Rückrufen Bescheid bekommen',
    text: (name: Part) => ['Sie bekommen Bescheid, wenn es einen Rückruf gibt: ', name, '.'],
    button: 'Ja, Bescheid geben',
    done: 'Sie bekommen Bescheid',
    doneText:
      'Jede E-Mail enthält einen Link, der das beendet. Nach zwei Jahren werden Sie einmal gefragt, ob es weitergehen soll.',
    recalledNow: 'Zurzeit gibt es einen Rückruf:',
    see: 'Was jetzt bekannt ist',
  },
  end: {
    title: 'Beenden?',
    text: (name: Part) => ['Sie bekommen Bescheid, wenn es einen Rückruf gibt: ', name, '.'],
    button: 'Keinen Bescheid mehr geben',
    done: 'Es ist beendet',
    doneText: 'Davon ist nichts mehr gespeichert.',
  },
  renew: {
    title: 'Zwei weitere Jahre?',
    text: (name: Part, date: Part) => [
      'Sie bekommen Bescheid, wenn es einen Rückruf gibt: ',
      name,
      '. Ohne Antwort endet das am ',
      date,
      '.',
    ],
    button: 'Weiter Bescheid geben',
    done: 'Es geht zwei Jahre weiter',
  },
  list: {
    title: 'Was über Sie gespeichert ist',
    intro: (address: Part) => ['Das ist alles, was zu ', address, ' gespeichert ist:'],
    none: 'Zu dieser Adresse ist nichts gespeichert.',
    until: (date: Part) => ['bis ', date],
    pending: 'noch nicht bestätigt',
    endOne: 'Beenden',
    endAll: 'Alles beenden',
  },
  ask: {
    title: 'Was über mich gespeichert ist',
    text: 'Geben Sie die Adresse an, die bei Rückrufen Bescheid bekommt. Sie erhalten einen Link zu allem, was dazu gespeichert ist, und können es dort beenden. Auf einem Gerät wird es auf der Seite der Charge oder des Produkts beendet.',
    button: 'Link senden',
  },
  gone: {
    title: 'Dieser Link führt nirgends mehr hin',
    text: 'Er wurde benutzt, seine Zeit ist um, oder das, wozu er gehört, ist beendet. Von Beendetem bleibt nichts gespeichert.',
  },

  mails: {
    confirm: {
      subject: (name: string) => `Bitte bestätigen: Bescheid bei Rückruf, ${name}`,
      text: 'Jemand, wahrscheinlich Sie, möchte, dass diese Adresse bei Rückrufen Bescheid bekommt. Öffnen Sie den Link und drücken Sie den Knopf innerhalb von 48 Stunden. Wenn Sie es nicht waren, tun Sie nichts: Dann wird nichts gesendet und die Adresse gelöscht.',
      button: 'Bestätigen',
    },
    list: {
      subject: 'Was über Sie gespeichert ist',
      text: 'Jemand, wahrscheinlich Sie, hat gefragt, was zu dieser Adresse gespeichert ist. Der Link gilt eine Stunde.',
      button: 'Ansehen oder beenden',
    },
    renew: {
      subject: (name: string) => `Weiter Bescheid bei Rückrufen? ${name}`,
      text: (date: string) =>
        `Sie bekommen seit fast zwei Jahren Bescheid. Ohne Antwort endet das am ${date}, und Ihre Adresse wird gelöscht.`,
      button: 'Weiter Bescheid geben',
    },
    welcome: {
      subject: (name: string) => `Bescheid bei Rückruf: ${name}`,
      text: 'So wird es aussehen.',
    },
    recall: {
      opened: (name: string) => `Rückruf: ${name}`,
      widened: (name: string) => `Rückruf: ${name}`,
      moved: (name: string) => `Rückruf, neuer Stand: ${name}`,
      edited: (name: string) => `Rückruf, neue Angaben: ${name}`,
      left: (name: string) => `Nicht mehr Teil eines Rückrufs: ${name}`,
      closed: (name: string) => `Rückruf beendet: ${name}`,
      cancelled: (name: string) => `Rückruf aufgehoben: ${name}`,
    },
    leftText: 'Die Marke hat festgestellt, dass diese Charge nicht betroffen ist.',
    reason: (text: string) => `Grund (in den Worten der Marke): ${text}`,
    lots: (codes: string) => `Chargen: ${codes}`,
    giveBack: (brand: string) =>
      `Bringen Sie das Produkt dorthin zurück, wo Sie es bekommen haben, oder fragen Sie ${brand}.`,
    read: 'Die ganze Mitteilung',
    why: (name: string) =>
      `Sie bekommen das, weil Sie um Bescheid bei Rückrufen gebeten haben: ${name}.`,
    stop: 'Keinen Bescheid mehr geben',
    all: 'Was über mich gespeichert ist',
  },
};
