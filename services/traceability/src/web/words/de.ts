// German: all sentences of the pages.
import { html } from '@lothub/kit/html';
import { check } from './de/check.ts';
import { console } from './de/console.ts';
import { explorer } from './de/explorer.ts';
import { labels } from './de/labels.ts';
import { lot } from './de/lot.ts';
import { recalls } from './de/recalls.ts';
import { watching } from './de/watching.ts';
import type { Words } from './en.ts';

export const de = {
  // What a recall notice asks consumers to do.
  advice: {
    what: {
      class_i:
        'Nicht verzehren oder verwenden: Schwere Gesundheitsschäden bis hin zum Tod sind möglich.',
      class_ii: 'Nicht verzehren oder verwenden: Vorübergehende Gesundheitsschäden sind möglich.',
      class_iii:
        'Die betroffenen Produkte nicht verzehren und nicht verwenden, auch wenn Gesundheitsschäden unwahrscheinlich sind.',
      market_withdrawal:
        'Die betroffenen Produkte werden zurückgenommen; Gesundheitsschäden sind unwahrscheinlich.',
      unclassified: 'Die betroffenen Produkte nicht verzehren und nicht verwenden.',
      notSettled:
        'Die betroffenen Produkte nicht verzehren und nicht verwenden, bis feststeht, ob sie sicher sind.',
    },
    giveBack: (brand) => html`Geben Sie sie im Geschäft zurück oder fragen Sie ${brand}.`,
    contact: (brand) => html`So erreichen Sie ${brand}:`,
  },
  check,
  console,
  // What a reader sees when a page cannot be shown.
  errors: {
    notFound: {
      title: 'Dazu ist nichts bekannt',
      advice:
        'Diese Charge, diesen offenen Rückruf oder diesen Block gibt es hier nicht. Prüfen Sie die Schreibweise: Bei Chargennummern kommt es auf Groß- und Kleinschreibung an.',
    },
    noPage: {
      title: 'Unter dieser Adresse gibt es keine Seite',
      advice: 'Prüfen Sie die Adresse, oder suchen Sie hier die Charge auf Ihrer Packung.',
    },
    invalid: {
      title: 'Diese Adresse ist ungültig',
      advice: 'Beginnen Sie noch einmal mit dem Formular unten.',
    },
    tooMany: {
      title: 'Zu viele Anfragen',
      advice:
        'Die Plattform beantwortet nur eine begrenzte Zahl von Anfragen pro Minute. Warten Sie eine Minute und versuchen Sie es erneut.',
    },
    otherwise: {
      title: 'Diese Seite kann gerade nicht angezeigt werden',
      advice: 'Die Plattform konnte nicht antworten. Versuchen Sie es in einer Minute erneut.',
    },
    didYouMean: (links) => html`Meinten Sie ${links}?`,
  },
  explorer,
  // Forms that several pages have.
  forms: {
    lotCode: 'Chargennummer, wie auf dem Produkt aufgedruckt',
    showLot: 'Charge anzeigen',
  },
  // The frame around every page.
  frame: {
    skip: 'Zum Inhalt springen',
    pages: 'Seiten dieser Plattform',
    lookUp: 'Charge suchen',
    recalls: 'Rückrufe',
    explorer: 'Explorer',
    guide: 'Anleitung',
    api: 'API',
    language: 'Sprache',
    runs: (hub, version) => `${hub} läuft mit Lothub ${version}.`,
  },
  labels,
  // What pages say of the public log.
  log: {
    heading: 'Öffentliches Protokoll',
    entry: (height) => `Eintrag ${height} im öffentlichen Protokoll dieser Plattform.`,
    nobodyElse: 'Nur vom Betreiber signiert; bisher hat das niemand sonst bestätigt.',
    firstBlocks: (count, seen) => html`Die ersten ${count} Blöcke: ${seen}`,
    tooFew: 'Das sind weniger, als diese Plattform verlangt.',
    seenBy: ({ cosigned, witnesses, names, at }) =>
      html`Gesehen von ${cosigned} von ${witnesses} unabhängigen Zeugen
      (${names})${at === undefined ? null : html`, am ${at}`}.`,
    witness: (name, operator) =>
      operator === undefined
        ? `${name}: Wer ihn betreibt, sagt diese Plattform nicht.`
        : `${name}: betrieben von ${operator}.`,
    ownWitness: 'Er steht unter der Domain dieser Plattform und zählt nicht.',
    notCounted: 'Diese Plattform zählt ihn nicht.',
    signedOn: (at) => html`Er hat am ${at} signiert.`,
    newestOfLot: (block) => html`Das ist ${block}, der neueste zu dieser Charge.`,
    evidenceFile: 'Beweisdatei',
    proofFile: 'Nachweisdatei',
    trust: 'Was das beweist, und wie Sie es ohne uns prüfen',
    timeStamped: (service, at) => html`Zeitstempel von ${service}: Es bestand spätestens am ${at}.`,
    timeStamp: 'Zeitstempel',
    stamped: 'Was gestempelt wurde',
    evidenceUnder: 'Beweisdatei dazu',
    proofUnder: 'Nachweisdatei dazu',
    off: 'Diese Plattform führt kein öffentliches Protokoll.',
    building: 'Das öffentliche Protokoll dieser Plattform wird gerade aufgebaut.',
    unsigned: 'Das ist neuer als das, was im öffentlichen Protokoll signiert ist.',
    held: 'Das Protokoll des Betreibers lässt sich zurzeit nicht bestätigen.',
  },
  lot,
  // The page of a GTIN.
  product: {
    number: (gtin) => `GTIN ${gtin}`,
    chooseBrand: 'Welche Marke steht auf Ihrer Packung?',
    severalBrands:
      'Mehrere Marken geben an, dass diese Nummer zu ihnen gehört. Nichts auf dieser Seite besagt, dass ein Produkt unverändert oder sicher ist: Wählen Sie zuerst die Marke.',
    severalProducts: (brand) => ['', brand, ' verwendet diese Nummer für mehrere Produkte:'],
    ofBrand: (brand) => ['Ein Produkt von ', brand, '.'],
    whichLot: 'Welche Charge ist es?',
    whereLot:
      'Die Chargennummer ist auf der Packung aufgedruckt, oft neben dem Datum. Sie kann mit L oder LOT beginnen.',
    lotUnknown: (lot) => ['Eine Charge ', lot, ' dieses Produkts ist hier nicht bekannt.'],
    nothingKnown: 'Über diese Nummer ist nichts bekannt',
    nothingKnownAdvice:
      'Keine Marke hat auf dieser Plattform angegeben, dass diese Nummer zu einem ihrer Produkte gehört. Prüfen Sie die Nummer, oder suchen Sie nach der Chargennummer auf der Packung.',
    recalls: 'Rückrufe dieses Produkts',
    otherBrands: (link) => ['Andere Marken verwenden dieselbe Chargennummer: ', link],
    seeThem: 'ansehen',
    more: 'Mehr Produkte haben diese Nummer, als diese Seite nennt.',
    notTheirs: 'Dass diese Nummer zu ihrem Produkt gehört, ist die Angabe jeder Marke.',
  },
  recalls,
  // The page of a lot code that several brands use.
  sharedCode: {
    title: (code) => `Charge ${code}: welche Marke?`,
    lead: 'Mehrere Marken verwenden diese Chargennummer. Von welcher Marke ist Ihr Produkt?',
    notices: 'Offene Rückrufe zu dieser Chargennummer',
    allNotices: 'Alle Rückrufe zu dieser Chargennummer',
    choose: 'Wählen Sie die Marke Ihres Produkts',
    nothingSaid:
      'Nichts auf dieser Seite besagt, dass ein Produkt unverändert oder sicher ist: Wählen Sie zuerst seine Marke.',
    openRecall: 'offener Rückruf',
    openRecalls: (count) => `${count} offene Rückrufe`,
    firstBrands: (count) =>
      `Das sind die ersten ${count} Marken, die diese Chargennummer verwenden.`,
    lotCode: 'Chargennummer',
    brandId: 'Marke, mit ihrer Kennung auf dieser Plattform',
  },
  // The page at `/`.
  start: {
    title: 'Woher ein Produkt kommt',
    lead: (hub) =>
      `Marken melden an ${hub}, was mit jeder Charge ihrer Produkte geschieht: angenommen, hergestellt, verpackt, versandt, verkauft. Jede Meldung wird zu einem Block einer öffentlichen Kette aus SHA-256-Hashes. Wer den Nachweis eines Blocks aufbewahrt, kann belegen, wenn der Betreiber den Block später ändert oder weglässt. Dass eine Meldung stimmt, dafür steht die Marke mit ihrem Wort.`,
    readOn: 'Weiterlesen',
    recalls: {
      label: 'Rückrufe',
      text: 'Welche Chargen gerade zurückgerufen werden, warum, und was zu tun ist.',
    },
    explorer: {
      label: 'Explorer der Kette',
      text: 'Jeder Block der Kette, mit seinem Text und dem Weg, ihn zu prüfen.',
    },
    guide: {
      label: 'Anleitung',
      text: 'Für alle, die Ereignisse senden oder die Kette prüfen: vom ersten Ereignis bis zum Nachweis von Hand.',
    },
    api: {
      label: 'API-Referenz',
      text: 'Alle Endpunkte, mit Beispielen und einem Befehl, der sie aufruft.',
    },
    trust: {
      label: 'Wem Sie vertrauen müssen',
      text: 'Was bewiesen ist und durch wen, was der Betreiber noch tun kann, und wie Sie es ohne uns prüfen.',
    },
    format: {
      label: 'Format der Kette',
      text: 'Was gehasht wird, auf das Byte genau: genug, um ein eigenes Prüfprogramm zu schreiben.',
    },
    json: {
      label: 'Der Explorer als JSON',
      text: 'Für Programme.',
      description: 'Beschreibung der API',
    },
    inEnglish: '(auf Englisch)',
  },
  watching,
} satisfies Words;
