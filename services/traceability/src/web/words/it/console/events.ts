// The console, events and their corrections, in Italian.
import { html, type Html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const events = {
  title: 'Eventi',
  statuses: {
    corrected: 'Corretto',
    voided: 'Non avvenuto',
  },
  directions: {
    in: 'entra: ricevuto o usato',
    out: 'esce: prodotto, spedito o venduto',
  },
  noValue: 'nessuno',
  numbered: (id: string) => `Evento ${id}`,
  correct: 'Correggi',
  facts: 'L’evento',
  externalId: 'identificativo esterno',
  recorded: 'registrato',
  recordedAs: 'registrato come',
  breach: (lots: Html) => html`Bloccato quando è stato registrato: ${lots}.`,
  postedBy: (actors: Html) => html`Registrato da ${actors}.`,
  poster: 'inviato da',
  warned: 'Da controllare, alla registrazione:',
  lines: (count: string) => `Righe (${count})`,
  line: 'Riga',
  noLines: 'Questa riga non esiste.',
  corrections: 'Correzioni',
  proof: 'Prova',
  correctTitle: 'Correggi un evento',
  correctLead: 'Ciò che è stato registrato resta. La correzione si affianca e vale da allora.',
  lineNumbered: (line: string) => `Riga ${line}`,
  otherLines:
    'Le altre righe sono in altre pagine: una correzione riguarda le righe di una pagina.',
  instantHint: 'In UTC, come 2026-03-02T06:15:00Z, o con un altro scarto',
  reason: 'Motivo',
  reasonHint: 'Tutti possono leggerlo: non scriva nomi di clienti.',
  preview: 'Vedi che cosa cambia',
  voidTitle: 'Non è avvenuto affatto',
  voidLead:
    'L’evento allora non muove e non collega nulla. Non si può annullare: registri di nuovo l’evento se è avvenuto davvero.',
  voidedAlready:
    'Questo evento non è avvenuto, secondo una correzione. Non si può correggere oltre.',
  toEvent: 'All’evento',
  nothingChanged: 'Nulla è ancora cambiato: cambi prima un valore.',
  raced:
    'Nulla è stato fatto: qualcun altro ha corretto questo evento nel frattempo. Si vede ciò che vale ora; lo riguardi.',
  racedTo: (value: string) => `Qualcun altro l’ha cambiato; ora è: ${value}`,
  previewTitle: 'Che cosa cambia la correzione',
  previewLead: 'Nulla è ancora fatto.',
  changes: 'Modifiche',
  field: 'Campo',
  before: 'Prima',
  after: 'Dopo',
  lotsTitle: 'Che cosa resta di quali lotti',
  lot: 'Lotto',
  product: 'Prodotto',
  noQuantities: 'Nessuna quantità cambia.',
  notCounted:
    'Sono interessati lotti con moltissimi eventi: le loro quantità si sommano alla correzione.',
  moreLots: (count: string) => `Sono interessati altri ${count} lotti.`,
  sameQuantity: 'invariato',
  overIssued: 'Esce più di quanto è entrato',
  newLot: 'Lotto nuovo',
  linksChange: 'Cambiano anche legami tra lotti: genealogia e richiami seguono subito.',
  casesTitle: 'Casi di richiamo aperti',
  noCases: 'Nessun caso aperto comprende lotti di questo evento.',
  casesSame:
    'Questi casi comprendono lotti di questo evento. Le quantità cambiano come sopra; i lotti compresi restano.',
  casesWiden:
    'Questi casi comprendono lotti di questo evento. Entro un secondo dalla correzione possono entrare o uscire lotti, che vengono bloccati o segnalati secondo il caso.',
  confirm: 'Correggi ora',
  back: 'Modifica ancora',
  done: {
    corrected: 'L’evento è corretto.',
    voided: 'L’evento non conta più.',
  },
} satisfies Words['console']['events'];
