// Terms of the glossary: goods, in Italian.
import type { Words } from '../../../en.ts';

export const goods = {
  words: {
    lot: 'lotto',
    lotCode: 'codice di lotto',
    sku: 'SKU',
    event: 'evento',
    line: 'riga',
    direction: 'direzione',
    reference: 'riferimento',
    externalId: 'identificativo esterno',
    consignee: 'destinatario',
    customerReference: 'riferimento cliente',
    channel: 'canale di vendita',
    provenance: 'provenienza',
    supplierLot: 'lotto del fornitore',
    genealogy: 'genealogia',
    upstream: 'a monte, a valle',
    basis: 'fondamento',
    distance: 'distanza, profondità',
    frontier: 'frontiera',
    cycle: 'ciclo',
    journey: 'percorso',
    massBalance: 'bilancio di massa',
    account: 'conto',
    remaining: 'rimanenza',
    overIssued: 'uscite in eccesso',
    yield: 'resa',
    status: 'stato',
    hold: 'blocco',
    gtin: 'GTIN',
    digitalLink: 'GS1 Digital Link',
    symbol: 'simbolo',
    holdBreach: 'violazione del blocco',
  },
  sentences: {
    lot: 'Una quantità di un prodotto fabbricata, confezionata o ricevuta nelle stesse condizioni e tracciata come una sola. È identificato dal cliente della piattaforma e dal codice di lotto.',
    lotCode:
      'Il nome che il cliente dà a un lotto. Maiuscole e minuscole sono diverse; è ammesso qualsiasi carattere stampabile.',
    sku: 'Codice articolo: il codice di un prodotto, in `product_sku`. Un codice di lotto può averne più d’uno.',
    event:
      'Qualcosa che è accaduto a dei lotti in un luogo e in un momento: `RECEIVE`, `PRODUCE`, `CONSUME`, `PACK`, `TRANSFER`, `SHIP`, `SELL`, `DISPOSE` o `CORRECTION`.',
    line: 'La parte di un lotto in un evento: quale lotto, in entrata o in uscita, quanto, in quale unità.',
    direction:
      'Di una riga: `in` (consumato o ricevuto) o `out` (prodotto, spedito o venduto). Di un richiamo: `upstream`, `downstream` o `both`.',
    reference:
      'Il documento commerciale del cliente dietro a un evento, come un ordine o una bolla di consegna.',
    externalId:
      'L’identificativo che il cliente dà a un evento, unico presso di lui. Grazie a esso inviare due volte non fa danno.',
    consignee: 'A chi viene inviata la merce. In un evento è il riferimento cliente di una riga.',
    customerReference: 'Il nome dato a un cliente; conservato solo per `SELL` e mai pubblico.',
    channel:
      'La via per cui la merce arriva ai consumatori. Il testo proprio resta privato; la sua classe (`retail`, `online`, …) è pubblica.',
    provenance:
      'Da dove viene un lotto ricevuto: nome del fornitore, stabilimento di origine, codice di lotto del fornitore.',
    supplierLot: 'Un lotto noto solo dalla provenienza: una foglia della genealogia.',
    genealogy:
      'Il grafo dei lotti e di ciò di cui sono fatti. Un evento collega ogni lotto in entrata a ogni lotto in uscita.',
    upstream: 'Verso ciò di cui un lotto è fatto; verso ciò che ne è stato fatto.',
    basis:
      'Perché due lotti sono collegati: da un evento (`event`) o da un riferimento comune a due eventi (`reference`).',
    distance: 'Passi dal lotto richiesto; il massimo dei passi che si seguono.',
    frontier:
      'I lotti a cui il percorso si è fermato pur potendo proseguire. La risposta li nomina: nulla è tagliato in silenzio.',
    cycle:
      'Lotti che sono antenati di sé stessi, per rilavorazione o resi. È lecito e viene contato.',
    journey:
      'La storia pubblica di un lotto: i suoi eventi e quelli dei suoi antenati fino a esso, dal più vecchio, senza quantità né riferimenti.',
    massBalance:
      'Confronto tra ciò che è entrato in un lotto e ciò che ne è uscito, per ogni SKU e unità.',
    account:
      'Le somme di un lotto per una SKU e un’unità. Un lotto ha tanti conti quante sono le coppie in cui è comparso.',
    remaining: 'Quanto dovrebbe restare di un lotto secondo il suo bilancio di massa.',
    overIssued:
      'Da un lotto è uscito più di quanto vi sia entrato: la rimanenza è negativa. Si accetta e si segnala, perché il fatto è stato comunicato.',
    yield: 'La quantità uscita da una produzione divisa per quella entrata.',
    status:
      'Di un lotto: `active`, `depleted` o `disposed` secondo quanto ne resta; `recalled` appena un richiamo che lo comprende ha raggiunto `notification`, qualunque sia la rimanenza.',
    hold: 'Un lotto non può essere usato finché non è sbloccato. È posto da un richiamo o a mano; un lotto è libero quando cade il suo ultimo blocco.',
    gtin: 'Il numero di GS1 per un prodotto. Di chi sia lo afferma un marchio, e più marchi possono dichiarare lo stesso.',
    digitalLink:
      'Un indirizzo di GS1 che nomina un prodotto con il suo GTIN, con un lotto e un numero di serie; la piattaforma conduce da lì alla pagina del lotto.',
    symbol:
      'Un codice QR o DataMatrix; un’etichetta ne porta uno e accanto ciò che leggono le persone.',
    holdBreach:
      'Un evento che muove un lotto bloccato. È registrato, segnalato e mostrato nel riepilogo; mai rifiutato, perché è accaduto.',
  },
} satisfies Words['console']['help']['terms']['goods'];
