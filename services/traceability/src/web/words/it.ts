// Italian: all sentences of the pages.
import { html } from '@lothub/kit/html';
import { check } from './it/check.ts';
import { console } from './it/console.ts';
import { explorer } from './it/explorer.ts';
import { labels } from './it/labels.ts';
import { lot } from './it/lot.ts';
import { recalls } from './it/recalls.ts';
import { watching } from './it/watching.ts';
import type { Words } from './en.ts';

export const it = {
  // What a recall notice asks consumers to do.
  advice: {
    what: {
      class_i: 'Non consumare né utilizzare: possibili danni gravi o mortali per la salute.',
      class_ii: 'Non consumare né utilizzare: possibili danni temporanei per la salute.',
      class_iii:
        'Non consumare né utilizzare i prodotti interessati, anche se è improbabile che causino danni.',
      market_withdrawal:
        'I prodotti interessati vengono ritirati dal mercato; è improbabile che causino danni.',
      unclassified: 'Non consumare né utilizzare i prodotti interessati.',
      notSettled:
        'Non consumare né utilizzare i prodotti interessati finché non si sa se sono sicuri.',
    },
    giveBack: (brand) => html`Li riporti al punto vendita o si rivolga a ${brand}.`,
    contact: (brand) => html`Come contattare ${brand}:`,
  },
  check,
  console,
  // What a reader sees when a page cannot be shown.
  errors: {
    notFound: {
      title: 'Non risulta nulla',
      advice:
        'Qui non esiste un lotto, un richiamo in corso o un blocco con questo nome. Controlli come è scritto: nei numeri di lotto maiuscole e minuscole contano.',
    },
    noPage: {
      title: 'A questo indirizzo non c’è nessuna pagina',
      advice: 'Controlli l’indirizzo, oppure cerchi qui il lotto indicato sulla Sua confezione.',
    },
    invalid: {
      title: 'Questo indirizzo non è valido',
      advice: 'Ricominci dal modulo qui sotto.',
    },
    tooMany: {
      title: 'Troppe richieste',
      advice:
        'Questa piattaforma risponde solo a un numero limitato di richieste al minuto. Attenda un minuto e riprovi.',
    },
    otherwise: {
      title: 'Al momento questa pagina non può essere mostrata',
      advice: 'La piattaforma non ha potuto rispondere. Riprovi tra un minuto.',
    },
    didYouMean: (links) => html`Forse cercava ${links}?`,
  },
  explorer,
  // Forms that several pages have.
  forms: {
    lotCode: 'Numero di lotto, come stampato sul prodotto',
    showLot: 'Mostra questo lotto',
  },
  // The frame around every page.
  frame: {
    skip: 'Vai al contenuto',
    pages: 'Pagine di questa piattaforma',
    lookUp: 'Cerca un lotto',
    recalls: 'Richiami',
    explorer: 'Explorer',
    guide: 'Guida',
    api: 'API',
    language: 'Lingua',
    runs: (hub, version) => `${hub} funziona con Lothub ${version}.`,
  },
  labels,
  // What pages say of the public log.
  log: {
    heading: 'Registro pubblico',
    entry: (height) => `Voce ${height} del registro pubblico di questa piattaforma.`,
    nobodyElse: 'Firmato solo dal gestore; nessun altro lo ha ancora confermato.',
    firstBlocks: (count, seen) => html`I primi ${count} blocchi: ${seen}`,
    tooFew: 'Sono meno di quanti ne richieda questa piattaforma.',
    seenBy: ({ cosigned, witnesses, names, at }) =>
      html`Visto da ${cosigned}
      ${cosigned === '1' ? 'testimone indipendente' : 'testimoni indipendenti'} su ${witnesses}
      (${names})${at === undefined ? null : html`, il ${at}`}.`,
    witness: (name, operator) =>
      operator === undefined
        ? `${name}: questa piattaforma non dice chi lo gestisce.`
        : `${name}: gestito da ${operator}.`,
    ownWitness: 'Si trova sotto il dominio di questa piattaforma e non conta.',
    notCounted: 'Questa piattaforma non lo conta.',
    signedOn: (at) => html`Ha firmato il ${at}.`,
    newestOfLot: (block) => html`Questo è il più recente di questo lotto: ${block}.`,
    evidenceFile: 'File delle prove',
    proofFile: 'File della prova',
    trust: 'Che cosa dimostra, e come verificarlo senza di noi',
    timeStamped: (service, at) =>
      html`Marca temporale di ${service}: esisteva al più tardi il ${at}.`,
    timeStamp: 'Marca temporale',
    stamped: 'Che cosa è stato marcato',
    evidenceUnder: 'File delle prove corrispondente',
    proofUnder: 'File della prova corrispondente',
    off: 'Questa piattaforma non tiene un registro pubblico.',
    building: 'Il registro pubblico di questa piattaforma è in costruzione.',
    unsigned: 'È più recente di ciò che è firmato nel registro pubblico.',
    held: 'Al momento il registro del gestore non può essere confermato.',
  },
  lot,
  // The page of a GTIN.
  product: {
    number: (gtin) => `GTIN ${gtin}`,
    chooseBrand: 'Quale marchio c’è sulla confezione?',
    severalBrands:
      'Più marchi dichiarano che questo numero è loro. Niente in questa pagina dice che un prodotto sia inalterato o sicuro: scelga prima il marchio.',
    severalProducts: (brand) => ['', brand, ' usa questo numero per più prodotti:'],
    ofBrand: (brand) => ['Un prodotto di ', brand, '.'],
    whichLot: 'Di quale lotto si tratta?',
    whereLot:
      'Il codice del lotto è stampato sulla confezione, spesso accanto alla data. Può iniziare con L o LOT.',
    lotUnknown: (lot) => ['Nessun lotto ', lot, ' di questo prodotto è noto qui.'],
    nothingKnown: 'Di questo numero non si sa nulla',
    nothingKnownAdvice:
      'Nessun marchio ha dichiarato su questa piattaforma che questo numero appartiene a un suo prodotto. Controlli il numero o cerchi il codice del lotto stampato sulla confezione.',
    recalls: 'Richiami di questo prodotto',
    otherBrands: (link) => ['Altri marchi usano lo stesso codice di lotto: ', link],
    seeThem: 'vederli',
    more: 'Più prodotti hanno questo numero di quanti ne nomini questa pagina.',
    notTheirs: 'Che questo numero sia del suo prodotto è la dichiarazione di ciascun marchio.',
  },
  recalls,
  // The page of a lot code that several brands use.
  sharedCode: {
    title: (code) => `Lotto ${code}: quale marchio?`,
    lead: 'Più marchi usano questo numero di lotto. Di quale marchio è il Suo prodotto?',
    notices: 'Richiami in corso per questo numero di lotto',
    allNotices: 'Tutti i richiami per questo numero di lotto',
    choose: 'Scelga il marchio del Suo prodotto',
    nothingSaid:
      'Nulla in questa pagina dice che un prodotto sia inalterato o sicuro: scelga prima il suo marchio.',
    openRecall: 'richiamo in corso',
    openRecalls: (count) => `${count} richiami in corso`,
    firstBrands: (count) => `Questi sono i primi ${count} marchi che usano questo numero.`,
    lotCode: 'Numero di lotto',
    brandId: 'Marchio, con il suo identificativo su questa piattaforma',
  },
  // The page at `/`.
  start: {
    title: 'Da dove viene un prodotto',
    lead: (hub) =>
      `I marchi comunicano a ${hub} che cosa accade a ogni lotto dei loro prodotti: ricevuto, prodotto, confezionato, spedito, venduto. Ogni comunicazione diventa un blocco di una catena pubblica di hash SHA-256. Chi conserva la prova di un blocco può dimostrare che il gestore lo ha modificato o eliminato in seguito. Che una comunicazione sia vera lo garantisce solo la parola del marchio.`,
    readOn: 'Per saperne di più',
    recalls: {
      label: 'Richiami',
      text: 'Quali lotti sono richiamati in questo momento, perché e che cosa fare.',
    },
    explorer: {
      label: 'Explorer della catena',
      text: 'Tutti i blocchi della catena, con il loro testo e il modo di verificarli.',
    },
    guide: {
      label: 'Guida',
      text: 'Per chi invia eventi o verifica la catena: dal primo evento alla sua prova fatta a mano.',
    },
    api: {
      label: 'Documentazione dell’API',
      text: 'Tutti gli endpoint, con esempi e un comando per chiamarli.',
    },
    trust: {
      label: 'Di chi bisogna fidarsi',
      text: 'Che cosa è dimostrato e da chi, che cosa può ancora fare il gestore e come verificarlo senza di noi.',
    },
    format: {
      label: 'Formato della catena',
      text: 'Di che cosa si calcola l’hash, byte per byte: quanto basta per scrivere un proprio verificatore.',
    },
    json: {
      label: 'L’explorer in JSON',
      text: 'Per i programmi.',
      description: 'Descrizione dell’API',
    },
    inEnglish: '(in inglese)',
  },
  watching,
} satisfies Words;
