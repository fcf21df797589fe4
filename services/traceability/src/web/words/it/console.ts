// The console, in Italian.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';
import { audit } from './console/audit.ts';
import { cases } from './console/cases.ts';
import { drills } from './console/drills.ts';
import { errors } from './console/errors.ts';
import { events } from './console/events.ts';
import { genealogy } from './console/genealogy.ts';
import { help } from './console/help.ts';
import { imports } from './console/imports.ts';
import { lot, lots } from './console/lots.ts';
import { opening } from './console/opening.ts';
import { operator } from './console/operator.ts';
import { profile } from './console/profile.ts';
import { record } from './console/record.ts';
import { simulation } from './console/simulation.ts';
import { today } from './console/today.ts';
import { webhooks } from './console/webhooks.ts';

export const console = {
  // A file for each room.
  audit,
  cases,
  drills,
  errors,
  events,
  genealogy,
  help,
  imports,
  // The console, recalls of suppliers.
  inbound: {
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
  },
  lot,
  lots,
  opening,
  operator,
  profile,
  record,
  simulation,
  today,
  webhooks,
  frame: {
    title: 'Console',
    menu: 'Menu',
    pages: 'Pagine della console',
    account: 'Account',
    logOut: 'Esci',
    people: 'Persone',
    keys: 'Chiavi',
    hub: 'Piattaforma',
    brands: 'Marchi',
    operators: 'Gestori',
    otherBrand: 'Scegli un altro marchio',
  },
  roles: {
    viewer: 'Lettura',
    quality: 'Qualità',
    manager: 'Responsabile',
    operator: 'Gestore',
  },
  roleHints: {
    viewer: 'legge tutto ciò che il marchio ha',
    quality: 'inoltre blocca lotti, simula, richiama, corregge e importa',
    manager: 'inoltre gestisce persone, chiavi e ciò che i consumatori leggono del marchio',
  },
  rights: {
    read: 'leggere lotti, eventi, richiami e rapporti',
    hold: 'bloccare e sbloccare lotti',
    simulate: 'simulare richiami e fare esercitazioni',
    recall: 'aprire, modificare e chiudere richiami',
    correct: 'correggere eventi',
    import: 'importare eventi da file',
    people: 'invitare persone e cambiare i loro ruoli',
    keys: 'creare e revocare chiavi',
    brand: 'modificare ciò che i consumatori leggono del marchio',
    products: 'modificare i prodotti',
    places: 'modificare i luoghi',
    suppliers: 'collegare fornitori',
    webhooks: 'configurare webhook',
    erase: 'cancellare valori privati',
    disclose: 'aprire valori riservati per un’autorità',
  },
  form: {
    lookAtFields: 'Controlli i campi segnalati.',
    copy: 'Copia',
    copied: 'Copiato',
    copyFailed: 'Selezioni e copi',
    actions: 'Azioni',
    more: 'Mostra altro',
  },
  filters: {
    apply: 'Mostra',
    clear: 'Togli i filtri',
    all: 'Tutti',
    pages: 'Pagine dell’elenco',
    previous: 'Precedente',
    next: 'Successiva',
    range: (from: string, to: string, total: string) => `${from}–${to} di ${total}`,
    rangeOfMore: (from: string, to: string, total: string) => `${from}–${to} di oltre ${total}`,
    moreThan: (total: string) => `oltre ${total}`,
    first: 'Alla prima pagina',
    tooFar: 'L’elenco continua. Lo restringa per vedere il resto.',
  },
  fields: {
    required: 'Compili questo campo.',
    blank: 'Scriva qualcosa che si possa vedere.',
    notOneOf: 'Scelga una delle possibilità.',
    tooShort: (characters) => `Usi almeno ${characters} caratteri.`,
    tooLong: (characters) => `Usi al massimo ${characters} caratteri.`,
    refused: 'Contiene caratteri che qui non si possono usare.',
    guessable: 'Si indovina presto. Usi più parole che nessuno si aspetta.',
    malformed: 'Non ha la forma giusta.',
  },
  refusals: {
    loginFailed: 'L’indirizzo e-mail o la parola d’accesso è sbagliato.',
    rateLimited: 'Troppi tentativi. Attenda un minuto, poi riprovi.',
    unavailable:
      'Non è stato salvato nulla: il servizio ora non può scrivere. Riprovi tra un minuto.',
    conflict: 'È cambiato nello stesso momento. Lo guardi di nuovo, poi ripeta ciò che voleva.',
    limitReached: 'È stato raggiunto il massimo. Ne rimuova prima uno.',
    linkUsedUp: 'Questo link è stato usato, è scaduto o è stato ritirato. Ne chieda uno nuovo.',
  },
  done: {
    'brand-left': 'Ha lasciato il marchio.',
    'invitation-revoked': 'L’invito è ritirato; il suo link non vale più.',
    'key-revoked': 'La chiave è revocata; da ora le richieste con essa sono rifiutate.',
    'logged-out': 'È uscito.',
    'name-saved': 'Il suo nome è salvato.',
    'operator-removed': 'La persona non gestisce più la piattaforma.',
    'password-saved':
      'La sua parola d’accesso è cambiata. Tutte le sue altre sessioni sono terminate.',
    'person-removed': 'La persona non è più nel marchio.',
    'role-saved': 'Il ruolo è cambiato.',
    'session-ended': 'La sessione è terminata.',
    'sessions-ended': 'Tutte le sue altre sessioni sono terminate.',
    erased: 'Il suo account è cancellato.',
  },
  again: {
    title: 'Acceda di nuovo',
    ended:
      'La sua sessione è terminata. Non è ancora stato fatto nulla, e nulla di ciò che ha scritto è perduto.',
    passwordsNot: 'Le parole d’accesso non vengono conservate: le scriva di nuovo.',
    logIn: 'Accedi e mostra di nuovo il mio modulo',
    elsewhere: 'Ho effettuato l’accesso in un’altra finestra',
    shown: 'Ha effettuato di nuovo l’accesso. Guardi il modulo, poi lo invii ancora una volta.',
  },
  choice: {
    title: 'Scegli un marchio',
    none: 'Non è ancora in alcun marchio',
    noneAdvice: 'Chieda un invito a un responsabile del suo marchio. Arriva come link.',
    hub: 'Gestire la piattaforma',
    operates: 'Marchi e gestori di tutta la piattaforma',
  },
  people: {
    title: 'Persone',
    lead: 'Chi lavora per questo marchio, e che cosa può fare ciascuno.',
    name: 'Nome',
    email: 'Indirizzo e-mail',
    role: 'Ruolo',
    since: 'Da',
    you: 'Lei',
    change: 'Cambia',
    changeRole: 'Cambia il ruolo',
    remove: 'Rimuovi',
    removeAdvice: (name) =>
      html`${name} perde subito l’accesso a questo marchio. Ciò che ${name} ha fatto conserva il
      nome.`,
    removeNow: 'Rimuovi ora',
    inviteTitle: 'Invitare qualcuno',
    inviteLead: 'Lei riceve un link. Lo mandi alla persona: vale una volta, per sette giorni.',
    emailHint: 'Così solo questa persona può usare il link.',
    emailOptional: 'Indirizzo e-mail (facoltativo)',
    invite: 'Crea l’invito',
    made: 'L’invito è creato. Il link viene mostrato solo questa volta: lo copi ora.',
    link: 'Link dell’invito',
    openTitle: 'Inviti aperti',
    none: 'Non c’è alcun invito aperto.',
    anybody: 'Chiunque abbia il link',
    by: 'Di',
    ends: 'Scade',
    withdraw: 'Ritira',
    withdrawAbout: (whom) => `l’invito di: ${whom}`,
    last: 'Un marchio conserva almeno un responsabile. Dia prima questo ruolo a un’altra persona.',
    full: 'Ci sono tanti inviti aperti quanti ce ne possono essere. Ne ritiri prima uno.',
    bySignOn: 'tramite l’accesso unico',
  },
  invitations: {
    conflict:
      'È già dentro, o l’invito è per un altro indirizzo e-mail, o il suo ha già un account: in tal caso acceda prima.',
    full: 'Non c’è posto: chieda a chi la invita.',
  },
  me: {
    title: 'Il mio account',
    lastOne:
      'Lei è l’ultimo responsabile di un marchio, l’ultimo gestore o l’ultimo proprietario di un gruppo. Passi prima questo ruolo.',
    brands: 'Marchi per cui lavora',
    leave: 'Lasciare',
    leaveAdvice: (name) =>
      html`Perde subito l’accesso a ${name}. Ciò che vi ha fatto conserva il Suo nome. Per tornare
      serve un nuovo invito.`,
    leaveNow: 'Lascia ora',
    lastManager:
      'Lei è l’ultimo responsabile di questo marchio. Nomini prima un altro responsabile.',
    notIn: 'Non fa più parte di questo marchio.',
  },
  keys: {
    title: 'Chiavi',
    lead: 'Con una chiave un programma scrive e legge per questo marchio.',
    label: 'Etichetta',
    labelHint:
      'Che cosa usa la chiave, per esempio il gestionale. Sta nel registro accanto a ciò che fa la chiave.',
    limit: 'Può',
    limits: {
      read: 'solo leggere',
      'post-events': 'solo inviare eventi',
      all: 'fare tutto',
    },
    made: 'Creata',
    lastUse: 'Ultimo uso',
    never: 'Mai',
    state: 'Stato',
    active: 'Valida',
    endsAt: (at) => html`Scade il ${at}`,
    revoked: 'Revocata',
    none: 'Questo marchio non ha ancora una chiave propria.',
    ended: 'Chiavi terminate',
    makeTitle: 'Creare una chiave',
    make: 'Crea la chiave',
    issued: 'La chiave è creata. Viene mostrata solo questa volta: la copi ora.',
    rotated:
      'La nuova chiave è creata. Viene mostrata solo questa volta: la copi ora. La vecchia vale ancora un giorno.',
    key: 'Chiave',
    tryIt: 'Provarla in un terminale',
    rotate: 'Sostituisci',
    rotateAdvice:
      'Riceve una nuova chiave con la stessa etichetta e gli stessi diritti. La vecchia vale ancora un giorno.',
    rotateNow: 'Crea la nuova chiave',
    revoke: 'Revoca',
    revokeAdvice: (label) => html`Ciò che usa la chiave ${label} viene subito rifiutato.`,
    revokeNow: 'Revoca ora',
    full: 'Ci sono tante chiavi quante un marchio ne può avere. Ne revochi prima una.',
  },
  brands: {
    title: 'Marchi',
    lead: 'Tutti i marchi di questa piattaforma. Ciò che un marchio tiene per sé qui non compare.',
    brand: 'Marchio',
    id: 'Identificativo',
    managers: 'Responsabili',
    people: 'Persone',
    none: 'Non c’è ancora alcun marchio: inviti il primo responsabile di uno.',
    noManager: 'Senza responsabile',
    hasManager: 'Questo marchio ha un responsabile, che invita le sue persone.',
    openTitle: 'Inviti aperti dei primi responsabili',
    withdrawAdvice: 'Il link non funzionerà più.',
    withdrawNow: 'Ritira ora',
    inviteTitle: 'Invitare il primo responsabile di un marchio',
    inviteLead:
      'Il marchio non deve ancora avere eventi. Lei riceve un link: lo mandi alla persona.',
    idHint: 'Come nell’intestazione X-Tenant-Id: lettere, cifre, punto, trattino basso, trattino.',
  },
  operators: {
    title: 'Gestori',
    lead: 'Chi vede i marchi della piattaforma, le sue chiavi, il suo verificatore, il suo log e i suoi testimoni.',
    removeAdvice: (name) =>
      html`${name} non gestisce più la piattaforma. I ruoli nei marchi restano come sono.`,
    last: 'La piattaforma conserva almeno un gestore. Inviti prima un’altra persona.',
  },
} satisfies Words['console'];
