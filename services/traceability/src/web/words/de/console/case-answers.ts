// The console, working through the notifications of a recall case, in German.
import type { Words } from '../../en.ts';

export const answers = {
  title: 'Benachrichtigungen',
  lead: 'Wen der Rückruf betrifft. Verschicken Sie den Text auf Ihrem Weg, vermerken Sie das und tragen Sie die Antwort ein.',
  notYet:
    'Die Texte gehen hinaus, sobald der Rückruf zur Benachrichtigung weitergeführt ist. Bis dahin können Sie sie vorbereiten.',
  csv: 'Alle Benachrichtigungen (CSV)',
  audience: 'Art',
  audiences: {
    customer: 'Kunde',
    channel: 'Vertriebsweg',
    supplier: 'Lieferant',
    internal_qa: 'Eigene Qualitätssicherung',
    regulator: 'Behörde',
    public: 'Öffentlichkeit',
  },
  status: 'Stand',
  statuses: {
    pending: 'Noch nicht',
    ready: 'Zu verschicken',
    sent: 'Noch ohne Antwort',
    acknowledged: 'Beantwortet',
    resolved: 'Erledigt',
  },
  recipient: 'Empfänger',
  erased: 'gelöscht',
  lots: 'Chargen',
  amount: 'Menge',
  answer: 'Antwort',
  none: 'Keine Benachrichtigung passt.',
  noneYet: 'Der Rückruf betrifft noch niemanden.',
  selected: 'Auswahl',
  pick: (recipient: string) => `${recipient} auswählen`,
  markPicked: 'Ausgewählte als verschickt vermerken',
  markAll: (count: string, isOne: boolean) =>
    isOne
      ? 'Die eine wartende als verschickt vermerken'
      : `Alle ${count} wartenden als verschickt vermerken`,
  pickOne: 'Wählen Sie mindestens eine aus, die zu verschicken ist.',
  marked: (count: string, isOne: boolean) =>
    isOne
      ? 'Eine Benachrichtigung ist als verschickt vermerkt.'
      : `${count} Benachrichtigungen sind als verschickt vermerkt.`,
  stayed: (count: string, isOne: boolean) =>
    isOne
      ? 'Eine blieb, wie sie war: Jemand anderes war inzwischen schon weiter.'
      : `${count} blieben, wie sie waren: Jemand anderes war inzwischen schon weiter.`,
  begin: 'Der Reihe nach abarbeiten',
  next: 'Nächste zu verschickende',
  nextSilent: 'Nächste ohne Antwort',
  all: 'Alle Benachrichtigungen',
  text: 'Text zum Verschicken',
  textIn: (language: string) => `Text auf ${language}`,
  copyText: 'Text kopieren',
  mail: (address: string) => `An ${address} schreiben`,
  tooLong: 'Der Text ist zu lang für einen Link: Kopieren Sie ihn in die Nachricht.',
  reached: 'Was bei diesem Empfänger ankam',
  nothingReached:
    'Von diesen Chargen ist nichts als an diesen Empfänger verkauft oder geliefert erfasst.',
  firstLots: (shown: string, all: string) => `Die ersten ${shown} von ${all} Chargen.`,
  erasedAdvice: 'Dieser Kunde wurde gelöscht: Niemand weiß mehr, wer es war.',
  sentAt: 'Verschickt',
  acknowledgedAt: 'Beantwortet',
  resolvedAt: 'Erledigt',
  block: 'Block',
  markSent: 'Als verschickt vermerken',
  markSentNext: 'Vermerken und die nächste zeigen',
  answerTitle: 'Antwort eintragen',
  nowIs: 'Der Empfänger hat',
  acknowledged: 'bestätigt: weiß davon',
  resolved: 'erledigt: nichts ist mehr offen',
  accounted: (unit: string) => `Nachgewiesene Menge (${unit})`,
  accountedHint:
    'Was der Empfänger noch hat, zurückgeschickt oder vernichtet hat. Es wird mit der Antwort vermerkt.',
  accountedText: (amounts: string) => `Nachgewiesen: ${amounts}.`,
  response: 'Was geantwortet wurde (freiwillig)',
  responseHint: 'Nur für die Marke; die Kette enthält eine Verpflichtung darauf.',
  save: 'Antwort speichern',
  saveNext: 'Speichern und die nächste zeigen',
  changedMeanwhile: (status: string) =>
    `Nichts wurde geändert: Jemand anderes hat diese Benachrichtigung inzwischen weitergeführt. Ihr Stand ist jetzt: ${status}.`,
  pendingRefused:
    'Nichts wurde geändert: Der Rückruf ist noch nicht bei der Benachrichtigung, es ist noch nichts zu verschicken.',
} satisfies Words['console']['cases']['answers'];
