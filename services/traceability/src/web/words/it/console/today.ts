// The console, what needs somebody now, in Italian.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const today = {
  title: 'Oggi',
  role: (brand, role) => html`${brand} · ${role}`,
  needs: 'Da fare adesso',
  nothing: 'Adesso non c’è nulla da fare',
  nothingAdvice:
    'Nessun richiamo aperto attende risposta, nessun lotto è bloccato e i controlli non hanno trovato nulla.',
  record: 'Registrare un evento',
  simulate: 'Simulare un richiamo',
  chainFaulty: 'La catena non corrisponde a ciò che è stato registrato',
  chainFaultyHint: (height) =>
    `Il primo blocco che non corrisponde è il ${height}. Gli eventi sono ancora accettati. Chi gestisce la piattaforma deve intervenire adesso.`,
  clock: 'Adesso non si può registrare nulla',
  clockHint:
    'L’orologio della piattaforma non è creduto. Chi gestisce la piattaforma deve intervenire adesso.',
  logHeld: 'Il registro pubblico è sospeso',
  logHeldHint: 'I nuovi blocchi non sono firmati finché chi gestisce la piattaforma non decide.',
  witnessesBehind: 'I testimoni sono in ritardo',
  witnessesBehindHint: (minutes) =>
    `Da ${minutes} minuti nessun testimone esterno conferma i blocchi più recenti.`,
  notNotified: 'nessuno è ancora stato avvisato',
  toSend: (count) => `${count} da inviare`,
  unanswered: (count) => `${count} senza risposta`,
  allAnswered: 'tutte le notifiche hanno risposta',
  allCases: 'Tutti i richiami aperti',
  allCasesHint: 'Lavori le loro notifiche e chiuda ciò che è fatto.',
  inbound: 'Richiami dei Suoi fornitori raggiungono i Suoi lotti',
  inboundHint: 'Guardi quali dei Suoi lotti raggiungono e li blocchi.',
  breaches: 'Lotti bloccati sono stati mossi',
  breachesHint: (days) => `Negli ultimi ${days} giorni, prima i più recenti.`,
  imports: 'Importazioni con errori',
  importsHint: (days) =>
    `Negli ultimi ${days} giorni file sono falliti o righe sono rimaste fuori: le corregga e le invii di nuovo.`,
  onHold: 'Lotti bloccati',
  onHoldHint: 'Li sblocchi o decida che cosa farne.',
  checking: 'I controlli sono in corso. Guardi di nuovo tra un momento.',
  numbers: 'In cifre',
  events24h: 'Eventi in 24 ore',
  lastEvent: 'Ultimo evento',
  lots: 'Lotti',
  recalled: 'Lotti richiamati',
  score: 'Controlli',
  outOf100: (score) => `${score} su 100`,
  lastDrill: 'Ultima esercitazione',
  never: 'mai',
  daysAgo: (days) => `${days} giorni fa`,
  todayWord: 'oggi',
  trust: 'La catena e i suoi testimoni',
  verified: (height, at) => html`Tutti i blocchi fino al ${height} verificati il ${at}`,
  verifying: (height, tip) => `Verificato fino al blocco ${height} di ${tip}`,
  notVerified: 'La prima verifica non è ancora finita',
  log: {
    off: 'Nessun registro pubblico',
    building: 'Il registro pubblico è in costruzione',
    signing: 'Ogni blocco è firmato nel registro pubblico',
    held: 'Il registro pubblico è sospeso',
  },
  quorum: (cosigned, counting) => `Testimoni: ${cosigned} su ${counting}`,
  noWitnesses: 'Nessun testimone esterno',
  explore: 'Guardare la catena',
  list: {
    looked: (count, total) =>
      `${count} su ${total} controllati. I controlli guardano gli eventi e i lotti più recenti.`,
    cut: (count) => `Sono elencati i ${count} più recenti.`,
    at: (at) => html`Controllato il ${at}.`,
    none: 'Non è stato trovato nulla di simile.',
    event: 'Evento',
    occurred: 'Avvenuto',
    reference: 'Riferimento',
    lot: 'Lotto',
    product: 'Prodotto',
    when: 'Quando',
    who: 'Chi',
  },
  checks: {
    provenance_complete: {
      title: 'Ricevimenti senza provenienza completa',
      advice: 'Corregga il ricevimento: fornitore, origine e codice di lotto del fornitore.',
    },
    lots_have_origin: {
      title: 'Lotti che non vengono da nessuna parte',
      advice: 'Registri il ricevimento o la produzione da cui provengono.',
    },
    production_linked: {
      title: 'Produzioni senza l’altra parte',
      advice: 'Registri con lo stesso riferimento ciò che è entrato o ciò che è uscito.',
    },
    lots_not_over_issued: {
      title: 'Lotti da cui è uscito più di quanto è entrato',
      advice:
        'Cerchi un’unità sbagliata, un ricevimento non registrato o un errore di battitura, e lo corregga.',
    },
    yield_plausible: {
      title: 'Produzioni con una resa improbabile',
      advice: 'Confronti ciò che è entrato con ciò che è uscito e corregga la quantità sbagliata.',
    },
    units_agree: {
      title: 'Lotti contati in due unità',
      advice:
        'Corregga le righe in modo che un prodotto di un lotto abbia una sola unità: altrimenti nulla si somma.',
    },
    recorded_in_time: {
      title: 'Eventi registrati con oltre un giorno di ritardo',
      advice: 'Fino ad allora nessuno poteva rintracciarli. Scopra dove restano fermi i documenti.',
    },
    sales_name_customer: {
      title: 'Vendite senza cliente',
      advice: 'Corregga la vendita: senza cliente nessuno può essere avvisato di un richiamo.',
    },
    drilled_in_time: {
      title: 'È ora di un’esercitazione di richiamo',
      advice: 'Almeno una volta l’anno. Dura un minuto e lascia un certificato.',
    },
    hold_breaches: {
      title: 'Lotti mossi mentre erano bloccati',
      advice: 'Scopra perché, e faccia tornare ciò che è uscito.',
    },
  },
  steps: {
    title: 'La via alla prima esercitazione',
    lead: 'Tre passi, e un richiamo non è più una sorpresa.',
    done: 'Fatto',
    file: 'Importi il primo file',
    fileText:
      'Un file CSV o Excel con ricevimenti e produzioni. Prima è controllato; nulla è salvato finché non lo dice Lei.',
    fileDo: 'Importare un file',
    recordDo: 'O registrare un evento a mano',
    label: 'Stampi la prima etichetta',
    labelText: 'Il simbolo sul prodotto conduce i consumatori alla pagina del suo lotto.',
    labelDo: 'Fare un’etichetta',
    labelWait: 'Un’etichetta richiede un lotto: importi prima un file.',
    drill: 'Faccia la prima esercitazione',
    drillText:
      'Rintracci un lotto come in un richiamo. La piattaforma misura il tempo e conserva un certificato; i consumatori non ne vedono nulla.',
    drillDo: 'Iniziare un’esercitazione',
    drillWait: 'Un’esercitazione richiede lotti: importi prima un file.',
    needsRole: (role) => `Serve il ruolo ${role}.`,
  },
} satisfies Words['console']['today'];
