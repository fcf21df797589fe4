// What pages call the words of the closed lists, in Italian.
import { FIELD_LABELS } from '../field-labels.ts';
import type { Words } from '../en.ts';

export const labels = {
  eventTypes: {
    RECEIVE: 'Ricevimento',
    PRODUCE: 'Produzione',
    CONSUME: 'Uso nella produzione',
    PACK: 'Confezionamento',
    TRANSFER: 'Trasferimento',
    SHIP: 'Spedizione',
    SELL: 'Vendita',
    DISPOSE: 'Smaltimento',
    CORRECTION: 'Correzione',
  },
  eventNotes: {
    RECEIVE: 'È arrivata merce, da un fornitore o resa da un cliente.',
    PRODUCE: 'Sono stati prodotti lotti nuovi.',
    CONSUME: 'La merce è servita a produrne altra.',
    PACK: 'La merce è stata confezionata in altre unità.',
    TRANSFER: 'La merce è andata da uno dei vostri luoghi a un altro.',
    SHIP: 'La merce è partita per un cliente.',
    SELL: 'La merce è stata venduta.',
    DISPOSE: 'La merce è stata distrutta o gettata.',
    CORRECTION: 'Ciò che era registrato è stato corretto.',
  },
  genesis: 'Inizio della catena',
  decisionTypes: {
    brand: 'Decisione: informazioni per i consumatori',
    drill: 'Decisione: simulazione di richiamo',
    erasure: 'Decisione: cancellazione di dati riservati',
    hold: 'Decisione: blocco o sblocco',
    recall: 'Decisione: fase di un richiamo',
    response: 'Decisione: risposta a una notifica',
  },
  lotStatuses: {
    active: 'in circolazione',
    depleted: 'esaurito',
    disposed: 'smaltito',
    recalled: 'richiamato',
  },
  holdStatuses: {
    released: 'non bloccato',
    on_hold: 'bloccato, da non usare fino allo sblocco',
  },
  caseStatuses: {
    investigation: 'in corso di accertamento',
    notification: 'gli interessati vengono avvisati',
    containment: 'in corso di contenimento',
    closed: 'chiuso',
    cancelled: 'annullato',
  },
  severities: {
    class_i: 'Classe I: può causare danni gravi o la morte',
    class_ii: 'Classe II: può causare danni temporanei',
    class_iii: 'Classe III: è improbabile che causi danni',
    market_withdrawal: 'Ritiro dal mercato: è improbabile che causi danni',
    unclassified: 'Non ancora classificato',
  },
  channelClasses: {
    retail: 'negozi',
    online: 'negozi online',
    wholesale: 'commercio all’ingrosso',
    food_service: 'ristoranti e catering',
    direct: 'vendita diretta',
    export: 'esportazione',
    other: 'altri canali',
  },
  statedStatuses: { accepted: 'è avvenuto', voided: 'non è avvenuto' },
  fields: FIELD_LABELS.it,
  fieldOfLine: (field, line) => `${field}, riga ${line}`,
  block: (height) => `Blocco ${height}`,
} satisfies Words['labels'];
