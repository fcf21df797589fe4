// The console, what needs somebody now, in German.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const today = {
  title: 'Heute',
  role: (brand, role) => html`${brand} · ${role}`,
  needs: 'Braucht jetzt jemanden',
  nothing: 'Jetzt ist nichts zu tun',
  nothingAdvice:
    'Kein offener Rückruf wartet auf eine Antwort, keine Charge ist gesperrt, und die Prüfungen haben nichts gefunden.',
  record: 'Ereignis erfassen',
  simulate: 'Rückruf simulieren',
  chainFaulty: 'Die Kette stimmt nicht mit dem überein, was aufgezeichnet wurde',
  chainFaultyHint: (height) =>
    `Der erste Block, der nicht stimmt, ist ${height}. Ereignisse werden weiter angenommen. Wer die Plattform betreibt, muss jetzt nachsehen.`,
  clock: 'Jetzt kann nichts aufgezeichnet werden',
  clockHint:
    'Der Uhr der Plattform wird nicht geglaubt. Wer die Plattform betreibt, muss jetzt nachsehen.',
  logHeld: 'Das öffentliche Protokoll ist angehalten',
  logHeldHint:
    'Neue Blöcke werden nicht signiert, bis entschieden hat, wer die Plattform betreibt.',
  witnessesBehind: 'Die Zeugen sind im Rückstand',
  witnessesBehindHint: (minutes) =>
    `Seit ${minutes} Minuten hat kein unabhängiger Zeuge die neuesten Blöcke bestätigt.`,
  notNotified: 'noch ist niemand benachrichtigt',
  toSend: (count) => `${count} zu senden`,
  unanswered: (count) => `${count} ohne Antwort`,
  allAnswered: 'alle Benachrichtigungen beantwortet',
  allCases: 'Alle offenen Rückrufe',
  allCasesHint: 'Arbeiten Sie die Benachrichtigungen ab, und schließen Sie ab, was erledigt ist.',
  inbound: 'Rückrufe Ihrer Lieferanten erreichen Ihre Chargen',
  inboundHint: 'Sehen Sie nach, welche Ihrer Chargen betroffen sind, und sperren Sie sie.',
  breaches: 'Gesperrte Chargen wurden bewegt',
  breachesHint: (days) => `In den letzten ${days} Tagen, die neuesten zuerst.`,
  imports: 'Importe mit Fehlern',
  importsHint: (days) =>
    `In den letzten ${days} Tagen scheiterten Dateien oder blieben Zeilen weg: Berichtigen Sie sie, und senden Sie sie noch einmal.`,
  onHold: 'Gesperrte Chargen',
  onHoldHint: 'Geben Sie sie frei, oder entscheiden Sie, was aus ihnen wird.',
  checking: 'Die Prüfungen laufen. Sehen Sie gleich noch einmal nach.',
  numbers: 'In Zahlen',
  events24h: 'Ereignisse in 24 Stunden',
  lastEvent: 'Neuestes Ereignis',
  lots: 'Chargen',
  recalled: 'Zurückgerufene Chargen',
  score: 'Prüfungen',
  outOf100: (score) => `${score} von 100`,
  lastDrill: 'Letzte Übung',
  never: 'nie',
  daysAgo: (days) => `vor ${days} Tagen`,
  todayWord: 'heute',
  trust: 'Die Kette und ihre Zeugen',
  verified: (height, at) => html`Alle Blöcke bis ${height} geprüft am ${at}`,
  verifying: (height, tip) => `Geprüft bis Block ${height} von ${tip}`,
  notVerified: 'Die erste Prüfung ist noch nicht zu Ende',
  log: {
    off: 'Kein öffentliches Protokoll',
    building: 'Das öffentliche Protokoll wird aufgebaut',
    signing: 'Jeder Block ist im öffentlichen Protokoll signiert',
    held: 'Das öffentliche Protokoll ist angehalten',
  },
  quorum: (cosigned, counting) => `Zeugen: ${cosigned} von ${counting}`,
  noWitnesses: 'Keine unabhängigen Zeugen',
  explore: 'Die Kette ansehen',
  list: {
    looked: (count, total) =>
      `${count} von ${total} geprüften. Geprüft werden die neuesten Ereignisse und Chargen.`,
    cut: (count) => `Hier stehen die neuesten ${count}.`,
    at: (at) => html`Geprüft am ${at}.`,
    none: 'Nichts dergleichen wurde gefunden.',
    event: 'Ereignis',
    occurred: 'Geschehen',
    reference: 'Geschäftszeichen',
    lot: 'Charge',
    product: 'Produkt',
    when: 'Wann',
    who: 'Wer',
  },
  checks: {
    provenance_complete: {
      title: 'Wareneingänge ohne vollständige Herkunft',
      advice:
        'Korrigieren Sie den Wareneingang: Lieferant, Herkunft und Chargennummer des Lieferanten gehören dazu.',
    },
    lots_have_origin: {
      title: 'Chargen, die nirgendwo herkommen',
      advice: 'Erfassen Sie den Wareneingang oder die Herstellung, aus der sie stammen.',
    },
    production_linked: {
      title: 'Herstellungen ohne Gegenstück',
      advice: 'Erfassen Sie unter demselben Geschäftszeichen, was hineinging oder was herauskam.',
    },
    lots_not_over_issued: {
      title: 'Chargen, von denen mehr hinausging als hereinkam',
      advice:
        'Suchen Sie eine falsche Einheit, einen nicht erfassten Wareneingang oder einen Tippfehler, und korrigieren Sie ihn.',
    },
    yield_plausible: {
      title: 'Herstellungen mit unwahrscheinlicher Ausbeute',
      advice:
        'Vergleichen Sie, was hineinging, mit dem, was herauskam, und korrigieren Sie die falsche Menge.',
    },
    units_agree: {
      title: 'Chargen in zwei Einheiten',
      advice:
        'Korrigieren Sie die Zeilen, sodass ein Produkt einer Charge eine Einheit hat: Sonst lässt sich nichts addieren.',
    },
    recorded_in_time: {
      title: 'Ereignisse, die über einen Tag zu spät erfasst wurden',
      advice:
        'Bis dahin konnte niemand sie verfolgen. Finden Sie heraus, wo die Belege liegen bleiben.',
    },
    sales_name_customer: {
      title: 'Verkäufe ohne Kunden',
      advice:
        'Korrigieren Sie den Verkauf: Ohne Kunden kann bei einem Rückruf niemand benachrichtigt werden.',
    },
    drilled_in_time: {
      title: 'Eine Rückrufübung ist fällig',
      advice: 'Mindestens einmal im Jahr. Sie dauert eine Minute und hinterlässt ein Zertifikat.',
    },
    hold_breaches: {
      title: 'Chargen, die gesperrt bewegt wurden',
      advice: 'Finden Sie heraus, warum, und holen Sie zurück, was hinausging.',
    },
  },
  steps: {
    title: 'Der Weg zu Ihrer ersten Übung',
    lead: 'Drei Schritte, und ein Rückruf überrascht Sie nicht mehr.',
    done: 'Erledigt',
    file: 'Die erste Datei einlesen',
    fileText:
      'Eine CSV- oder Excel-Datei mit Wareneingängen und Herstellungen. Sie wird zuerst geprüft; gespeichert wird erst, wenn Sie es sagen.',
    fileDo: 'Datei importieren',
    recordDo: 'Oder ein Ereignis von Hand erfassen',
    label: 'Das erste Etikett drucken',
    labelText: 'Das Symbol auf dem Produkt führt Verbraucher zur Seite der Charge.',
    labelDo: 'Etikett erstellen',
    labelWait: 'Ein Etikett braucht eine Charge: Lesen Sie zuerst eine Datei ein.',
    drill: 'Die erste Übung durchführen',
    drillText:
      'Verfolgen Sie eine Charge wie bei einem Rückruf. Die Plattform misst die Zeit und bewahrt ein Zertifikat auf; Verbraucher sehen nichts davon.',
    drillDo: 'Übung beginnen',
    drillWait: 'Eine Übung braucht Chargen: Lesen Sie zuerst eine Datei ein.',
    needsRole: (role) => `Dazu braucht es die Rolle ${role}.`,
  },
} satisfies Words['console']['today'];
