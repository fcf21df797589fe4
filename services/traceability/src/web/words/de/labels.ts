// What pages call the words of the closed lists, in German.
import { FIELD_LABELS } from '../field-labels.ts';
import type { Words } from '../en.ts';

export const labels = {
  eventTypes: {
    RECEIVE: 'Wareneingang',
    PRODUCE: 'Herstellung',
    CONSUME: 'Verwendung in der Herstellung',
    PACK: 'Verpackung',
    TRANSFER: 'Umlagerung',
    SHIP: 'Versand',
    SELL: 'Verkauf',
    DISPOSE: 'Entsorgung',
    CORRECTION: 'Korrektur',
  },
  eventNotes: {
    RECEIVE: 'Ware kam herein, von einem Lieferanten oder von einem Kunden zurück.',
    PRODUCE: 'Neue Chargen wurden hergestellt.',
    CONSUME: 'Ware ging in die Herstellung anderer.',
    PACK: 'Ware wurde in andere Einheiten verpackt.',
    TRANSFER: 'Ware ging von einem Ihrer Orte an einen anderen.',
    SHIP: 'Ware ging an einen Kunden ab.',
    SELL: 'Ware wurde verkauft.',
    DISPOSE: 'Ware wurde vernichtet oder weggeworfen.',
    CORRECTION: 'Was verzeichnet war, wurde berichtigt.',
  },
  genesis: 'Beginn der Kette',
  decisionTypes: {
    brand: 'Entscheidung: Angaben für Verbraucher',
    drill: 'Entscheidung: Rückrufübung',
    erasure: 'Entscheidung: Löschung vertraulicher Angaben',
    hold: 'Entscheidung: Sperre oder Freigabe',
    recall: 'Entscheidung: Schritt eines Rückrufs',
    response: 'Entscheidung: Antwort auf eine Benachrichtigung',
  },
  lotStatuses: {
    active: 'im Verkehr',
    depleted: 'aufgebraucht oder ausverkauft',
    disposed: 'entsorgt',
    recalled: 'zurückgerufen',
  },
  holdStatuses: {
    released: 'nicht gesperrt',
    on_hold: 'gesperrt, bis zur Freigabe nicht zu verwenden',
  },
  caseStatuses: {
    investigation: 'wird untersucht',
    notification: 'Betroffene werden benachrichtigt',
    containment: 'wird eingedämmt',
    closed: 'abgeschlossen',
    cancelled: 'zurückgenommen',
  },
  severities: {
    class_i: 'Klasse I: kann schwere Gesundheitsschäden oder den Tod verursachen',
    class_ii: 'Klasse II: kann vorübergehende Gesundheitsschäden verursachen',
    class_iii: 'Klasse III: Gesundheitsschäden sind unwahrscheinlich',
    market_withdrawal: 'Rücknahme vom Markt: Gesundheitsschäden sind unwahrscheinlich',
    unclassified: 'Noch nicht eingestuft',
  },
  channelClasses: {
    retail: 'Geschäfte',
    online: 'Online-Shops',
    wholesale: 'Großhandel',
    food_service: 'Gastronomie und Catering',
    direct: 'Direktverkauf',
    export: 'Export',
    other: 'andere Vertriebswege',
  },
  statedStatuses: { accepted: 'es ist geschehen', voided: 'es ist nicht geschehen' },
  fields: FIELD_LABELS.de,
  fieldOfLine: (field, line) => `${field}, Zeile ${line}`,
  block: (height) => `Block ${height}`,
} satisfies Words['labels'];
