// Terms of the glossary: goods, in German.
import type { Words } from '../../../en.ts';

export const goods = {
  words: {
    lot: 'Charge',
    lotCode: 'Chargennummer',
    sku: 'SKU',
    event: 'Ereignis',
    line: 'Zeile',
    direction: 'Richtung',
    reference: 'Geschäftszeichen',
    externalId: 'externe Kennung',
    consignee: 'Empfänger',
    customerReference: 'Kundenkennung',
    channel: 'Vertriebsweg',
    provenance: 'Herkunft',
    supplierLot: 'Charge des Lieferanten',
    genealogy: 'Stammbaum',
    upstream: 'rückwärts, vorwärts',
    basis: 'Grundlage',
    distance: 'Entfernung, Tiefe',
    frontier: 'Rand',
    cycle: 'Kreis',
    journey: 'Weg der Charge',
    massBalance: 'Mengenbilanz',
    account: 'Konto',
    remaining: 'Restmenge',
    overIssued: 'überzogen',
    yield: 'Ausbeute',
    status: 'Status',
    hold: 'Sperre',
    gtin: 'GTIN',
    digitalLink: 'GS1 Digital Link',
    symbol: 'Symbol',
    holdBreach: 'Sperrverletzung',
  },
  sentences: {
    lot: 'Eine Menge eines Produkts, die unter gleichen Bedingungen hergestellt, verpackt oder angeliefert wurde und als eine verfolgt wird. Sie ist durch Mandant und Chargennummer bestimmt.',
    lotCode:
      'Wie der Mandant eine Charge nennt. Groß- und Kleinschreibung unterscheiden sich; jedes druckbare Zeichen ist erlaubt.',
    sku: 'Artikelnummer: der Code eines Produkts, als `product_sku`. Eine Chargennummer kann zu mehreren gehören.',
    event:
      'Etwas, das mit Chargen an einem Ort zu einer Zeit geschehen ist: `RECEIVE`, `PRODUCE`, `CONSUME`, `PACK`, `TRANSFER`, `SHIP`, `SELL`, `DISPOSE` oder `CORRECTION`.',
    line: 'Der Anteil einer Charge an einem Ereignis: welche Charge, hinein oder heraus, wie viel, in welcher Einheit.',
    direction:
      'Einer Zeile: `in` (verbraucht oder erhalten) oder `out` (hergestellt, versandt oder verkauft). Eines Rückrufs: `upstream`, `downstream` oder `both`.',
    reference:
      'Der Beleg des Mandanten hinter einem Ereignis, etwa eine Bestellung oder ein Lieferschein.',
    externalId:
      'Die eigene Kennung des Mandanten für ein Ereignis, einmalig bei ihm. Mit ihr schadet es nicht, etwas zweimal zu senden.',
    consignee: 'An wen die Ware geht. In einem Ereignis ist das der Kunde einer Zeile.',
    customerReference:
      'Wie der Mandant einen Kunden nennt; nur bei `SELL` gespeichert und nie öffentlich.',
    channel:
      'Wie Ware zu den Verbrauchern kommt. Der eigene Text des Mandanten bleibt vertraulich; seine Klasse (`retail`, `online`, …) ist öffentlich.',
    provenance:
      'Woher eine angelieferte Charge kommt: Name des Lieferanten, Betrieb, Chargennummer des Lieferanten.',
    supplierLot: 'Eine Charge, die nur aus der Herkunft bekannt ist: ein Blatt im Stammbaum.',
    genealogy:
      'Chargen und woraus sie gemacht wurden, als Netz. Ein Ereignis verbindet jede seiner Chargen, die hineingehen, mit jeder, die herauskommt.',
    upstream:
      'Zu dem hin, woraus eine Charge gemacht wurde; zu dem hin, was aus ihr gemacht wurde.',
    basis:
      'Warum zwei Chargen verbunden sind: durch ein Ereignis (`event`) oder durch ein gemeinsames Geschäftszeichen zweier Ereignisse (`reference`).',
    distance: 'Schritte von der gefragten Charge aus; die meisten Schritte, die gegangen werden.',
    frontier:
      'Chargen, an denen die Suche aufhörte, obwohl es weiterging. Eine Antwort nennt sie: Nichts wird stillschweigend abgeschnitten.',
    cycle:
      'Chargen, die durch Wiederverarbeitung oder Rücknahmen ihre eigenen Vorfahren sind. Das ist zulässig und wird gezählt.',
    journey:
      'Die öffentliche Geschichte einer Charge: ihre Ereignisse und die ihrer Vorfahren auf dem Weg zu ihr, die ältesten zuerst, ohne Mengen und Geschäftszeichen.',
    massBalance:
      'Vergleich dessen, was in eine Charge einging, mit dem, was herauskam, für jede SKU und Einheit.',
    account:
      'Die Summen einer Charge für eine SKU und eine Einheit. Eine Charge hat so viele Konten, wie sie in Paaren aus beiden vorkam.',
    remaining: 'Was von einer Charge nach ihrer Mengenbilanz noch da sein müsste.',
    overIssued:
      'Von einer Charge ging mehr hinaus, als je hereinkam: Die Restmenge ist negativ. Das wird angenommen und vermerkt, denn es wurde gemeldet.',
    yield: 'Die Menge, die aus einer Herstellung kam, geteilt durch die Menge, die hineinging.',
    status:
      'Einer Charge: `active`, `depleted` oder `disposed` nach dem, was von ihr übrig ist; `recalled`, sobald ein Rückruf, der sie umfasst, `notification` erreicht hat, was auch übrig ist.',
    hold: 'Eine Charge darf bis zur Freigabe nicht verwendet werden. Von einem Rückruf oder von Hand gesetzt; eine Charge ist frei, wenn ihre letzte Sperre aufgehoben ist.',
    gtin: 'Die Nummer von GS1 für ein Produkt. Wem sie gehört, behauptet eine Marke, und mehrere können dieselbe nennen.',
    digitalLink:
      'Eine Adresse nach GS1, die ein Produkt mit seiner GTIN nennt, dazu Charge und Seriennummer; die Plattform führt von dort zur Seite der Charge.',
    symbol: 'Ein QR-Code oder DataMatrix; ein Etikett trägt eines und daneben, was Menschen lesen.',
    holdBreach:
      'Ein Ereignis, das eine gesperrte Charge bewegt. Es wird aufgezeichnet, gemeldet und in der Übersicht gezeigt, nie abgelehnt: Es ist ja geschehen.',
  },
} satisfies Words['console']['help']['terms']['goods'];
