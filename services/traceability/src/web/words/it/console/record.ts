// The console, the form for one event, in Italian.
import type { Words } from '../../en.ts';

export const record = {
  title: 'Registrare un evento',
  lead: 'Un evento mentre accade: scelga il tipo, scansioni i lotti, registri.',
  typeTitle: 'Che cosa è accaduto?',
  otherType: 'Altro tipo',
  when: 'Quando',
  whenHint: 'Se vuoto, è adesso.',
  timeZone: 'Fuso orario',
  lines: 'Lotti',
  line: (line) => `Lotto ${line}`,
  addLine: 'Aggiungi un lotto',
  removeLine: 'Togli questo lotto',
  check: 'Controlla i codici',
  store: 'Registra l’evento',
  more: 'Altro su questo lotto',
  moreOfEvent: 'Altro',
  directions: { in: 'entrata', out: 'uscita' },
  lotHint: 'Scansioni o scriva. Vengono letti codici GS1 e Digital Link.',
  quantityHint: 'Per esempio 12,5',
  stored: 'L’evento è registrato.',
  storedIn: (block) => `Blocco ${block}`,
  warned: 'Da guardare:',
  idTaken:
    'Un evento con questo identificativo è già registrato con altro contenuto. Riapra il modulo.',
  codes: {
    known: 'Questo lotto esiste.',
    on_hold: 'Questo lotto è bloccato.',
    unknown: 'Questo lotto è nuovo.',
    unknownGtin: (gtin) => `Nessun prodotto del marchio ha il GTIN ${gtin}.`,
  },
  queue: {
    title: 'In viaggio',
    waiting: 'in attesa',
    sending: 'in invio',
    sent: 'registrato',
    refused: 'rifiutato',
    offline:
      'Nessuna connessione. Ciò che registra attende su questo dispositivo e parte appena c’è.',
    ended:
      'La sessione è terminata. Ciò che registra attende su questo dispositivo finché non accede di nuovo.',
    logIn: 'Accedi',
    otherPerson:
      'L’ha registrato un’altra persona. Attende che quella persona acceda su questo dispositivo.',
    correct: 'Correggi',
    discard: 'Scarta',
    discardAsk: 'Scartare questo evento? Non è stato registrato.',
    count: 'In attesa: ',
    noPlace: 'Questo dispositivo non può conservare l’evento. Lo registri finché c’è connessione.',
  },
} satisfies Words['console']['record'];
