// The console, recalls of suppliers, in Italian.
import type { Words } from '../../en.ts';

export const inbound = {
  title: 'Richiami di fornitori',
  lead: 'Richiami pubblicati dei marchi a cui sono collegati i Suoi fornitori, per quanto raggiungono i Suoi lotti.',
  show: 'Mostrare',
  states: { open: 'In corso', all: 'Anche quelli chiusi' },
  none: 'Nessun richiamo di un fornitore collegato raggiunge i Suoi lotti.',
  noneHint:
    'Colleghi i fornitori ai loro marchi su questa piattaforma: i loro richiami arriveranno qui da soli.',
  toSuppliers: 'Collegare fornitori',
  of: (brand) => ['Richiamo di ', brand],
  since: (at) => ['Dal ', at],
  ended: (at) => ['Chiuso il ', at],
  notice: 'Avviso pubblico',
  receivedTitle: 'Ricevuto da Lei',
  code: 'Lotto del fornitore',
  supplier: 'Fornitore',
  simulate: 'Simulare',
  lotsTitle: 'I Suoi lotti raggiunti',
  noLots: 'Nessuno dei Suoi lotti è raggiunto.',
  atLeast: (count) => `${count} o più`,
  ownCases: (cases) => ['I Suoi casi aperti al riguardo: ', cases],
  hold: 'Bloccare questi lotti',
  holdAdvice: (count) =>
    `Lotti bloccati: ${count}, quelli che il richiamo raggiunge in quel momento. Non si apre alcun caso e non si pubblica alcun avviso.`,
  holdNow: 'Bloccarli ora',
  holdReason: 'Motivo',
  gone: 'Questo richiamo non raggiunge più nessuno dei Suoi lotti. Nulla è stato bloccato.',
  older: 'Richiami precedenti',
  done: { held: 'Tutti i lotti che il richiamo raggiunge sono bloccati.' },
} satisfies Words['console']['inbound'];
