// The page of a lot, in Italian.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const lot = {
  title: (code) => `Lotto ${code}`,
  verdicts: {
    recalled: 'Stop: questo lotto è richiamato',
    examined: 'Stop: si sta valutando il richiamo di questo lotto',
    withdrawn: 'Questo lotto viene ritirato dal mercato',
    onHold: 'Attenda: questo lotto è bloccato',
    unconfirmed: 'Questo lotto non può essere confermato',
    clear: 'Nulla risulta contro questo lotto',
  },
  onHold: (brand) =>
    html`${brand} ha bloccato questo lotto. Non lo consumi e non lo utilizzi finché non viene
    sbloccato.`,
  clear: (brand) =>
    html`Non c’è alcun richiamo in corso per questo lotto, e ciò che ${brand} ha registrato non è
    stato modificato.`,
  whetherRecalled: (brand) =>
    html`Qui non è possibile dire se questo lotto sia richiamato. Chieda a ${brand} prima di
    utilizzarlo.`,
  whetherFurther: (brand) =>
    html`Qui non è possibile dire se ci siano altri richiami di questo lotto. Chieda a ${brand}
    prima di utilizzarlo.`,
  why: 'Motivo:',
  furtherRecalls: 'Altri richiami di questo lotto:',
  aboutRecall: 'Tutto su questo richiamo',
  aboutRecalls: 'Tutto su questi richiami',

  lotCode: 'Lotto',
  product: 'Prodotto',
  brand: 'Marchio',
  status: 'Stato',
  sharing: 'Anche altri marchi usano lo stesso numero di lotto.',
  sharingRecalled: html`Anche altri marchi usano lo stesso numero di lotto, e
    <strong class="bad">alcuni di questi lotti sono richiamati</strong>.`,
  chooseBrand: 'Scegli un altro marchio',

  story: 'Da dove viene',
  stages: {
    received: 'Ricevimento',
    made: 'Produzione',
    packed: 'Confezionamento',
    moved: 'Trasporto',
    sold: 'Vendita',
    disposed: 'Smaltimento',
  },
  ingredients: 'Ricevimento degli ingredienti',
  places: (count) => `${count} luoghi`,
  more: (count) => `altri ${count}`,
  utc: (date) => `${date} (UTC)`,
  allEvents: (count) => `Tutti gli eventi (${count})`,
  noStepCounts:
    'Al momento nessun passaggio di questo lotto conta. Ciò che è stato registrato si trova, con le correzioni, nei blocchi qui sotto.',
  partOfStory: 'Questi passaggi si trovano in blocchi verificati. Altri potrebbero mancare.',
  noStepVerifies: 'Nessun passaggio di questo lotto può essere letto da un blocco verificato.',
  event: (what, where) => html`${what}: ${where}`,
  through: (channels) => `, tramite ${channels}`,
  thisLot: (product) => html`Questo lotto, prodotto ${product}`,
  sourceLot: (lot, product) => html`Lotto di origine ${lot}, prodotto ${product}`,
  corrected: (blocks) => html`Così come il marchio lo ha corretto in seguito: ${blocks}`,

  sold: 'Dove è stato venduto',
  soldThrough: (channels) => `Questo lotto, o ciò che ne è stato fatto: ${channels}.`,
  noSale: 'Non è registrata alcuna vendita tramite un canale noto.',
  noSaleVerifies:
    'Nessuna vendita tramite un canale noto può essere letta da un blocco verificato.',

  decisions: 'Decisioni su questo lotto',

  proof: 'Che cosa è dimostrato',
  verified: (brand) =>
    html`<strong>Verificato.</strong> Ciò che ${brand} ha registrato su questo lotto non è stato
      modificato. Che sia vero e completo, nessun computer può dimostrarlo.`,
  notVerified: html`<strong>Non verificato.</strong> Ciò che è memorizzato non corrisponde alla
    catena. Finché il gestore non lo avrà controllato, nulla in questa pagina è dimostrato.`,
  blocksNotVerified: (blocks) =>
    html`<strong>Non verificato.</strong> Ciò che è memorizzato non corrisponde alla catena. Blocchi
      di questo lotto che non è stato possibile verificare: ${blocks}. Ciò che dicevano non è
      affidabile finché il gestore non lo avrà controllato.`,
  proofInDetail: 'La prova nei dettagli',
  owner: 'Chi lo dichiara',
  keeper: 'Chi tiene la catena',
  chainState: 'Stato dell’intera catena',
  chainValid:
    'non è nota alcuna differenza tra ciò che è memorizzato e ciò di cui è stato calcolato l’hash',
  chainInvalid: 'ciò che è memorizzato differisce da ciò di cui è stato calcolato l’hash',
  newestBlock: 'Blocco più recente',
  chainName: 'Nome della catena',
  blocks: 'Blocchi di questo lotto',
  blocksIntro:
    'Questi blocchi contengono il lotto, correggono blocchi simili o dicono che cosa è stato deciso al riguardo. L’hash di ciascuno è stato ricalcolato per questa pagina, e può farlo anche Lei: la pagina di un blocco mostra il suo testo e come calcolarne l’hash.',
  block: 'Blocco',
  hash: 'Hash (SHA-256)',
  truncated: 'Su questo lotto c’è più di quanto mostri questa pagina: si veda l’explorer.',

  otherBrands: 'Altri marchi con questo numero di lotto',
  otherBrandsIntro: 'Il Suo prodotto è di un altro marchio? Questi usano lo stesso numero:',
} satisfies Words['lot'];
