// The console, the pages of operators, in Italian.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const operator = {
  title: 'Stato della piattaforma',
  lead: 'Che cosa non va e che fare; poi a che punto è tutto.',
  needs: 'Da fare adesso',
  fine: 'Tutto a posto',
  fineAdvice: 'La catena si verifica, l’orologio è creduto e nessuno è in ritardo.',
  finding: (code, height) => `Blocco ${height}: ${code}`,
  clock: 'Un orologio non è creduto: non si scrive nulla',
  clockDo:
    'Rimetta a punto l’orologio della macchina; si riprende a scrivere da sé. Se l’orologio è giusto, lo accetti.',
  sharedKey: 'Più marchi scrivono con una chiave',
  sharedKeyDo: 'Emetta una chiave per ogni marchio e revochi questa, o la accetti.',
  behind: 'I testimoni sono in ritardo',
  behindDo: 'Guardi che cosa ha risposto ciascuno per ultimo e se sono raggiungibili.',
  stamps: 'Le marche temporali falliscono',
  stampsDo:
    'Guardi se il servizio (TSA_URL) è raggiungibile; la piattaforma chiede di nuovo da sé.',
  still: 'Il verificatore non avanza',
  stillDo: 'Da minuti non verifica nulla. Guardi i messaggi del servizio.',
  building: 'Il registro pubblico è in costruzione',
  buildingDo: 'Nulla da fare: firma appena ha raggiunto la catena.',
  guide: 'Altro nella guida operativa, docs/operating.md.',
  verifierTitle: 'La catena e il suo verificatore',
  height: 'Altezza',
  recentBlocks: 'Blocchi in 24 ore',
  through: 'Verificato fino al',
  checkedAt: 'Verificato il',
  round: 'Un giro dura',
  otherProcess: 'verifica un altro processo, o il primo giro è in corso',
  firstBad: 'Primo blocco errato',
  notYet: 'La prima verifica non è ancora finita',
  logTitle: 'Il registro pubblico',
  logState: 'Stato',
  origin: 'Origine',
  signed: 'Blocchi firmati',
  signedAt: 'Ultimo blocco firmato',
  never: 'non ancora',
  witnessTitle: 'Testimoni',
  noPolicy:
    'Nessuna politica è impostata (WITNESS_POLICY_FILE): nessuno all’esterno conferma ciò che questa piattaforma firma.',
  quorum: 'Cofirmato da',
  quorumShare: (cosigned, counting) => `${cosigned} su ${counting}`,
  behindSince: 'Ritardo',
  inStep: 'al passo',
  witness: 'Testimone',
  runBy: 'Gestito da',
  answer: 'Ultima risposta',
  since: 'Da',
  tree: 'Blocchi cofirmati',
  own: 'dello stesso operatore: non conta',
  stampTitle: 'Marche temporali',
  stampOff: 'Nessun servizio è impostato (TSA_URL).',
  stampAt: 'Più recente',
  stampSize: 'Blocchi',
  failures: 'Tentativi falliti da allora',
  clockTitle: 'Orologi',
  clockFine: 'L’orologio di ogni macchina è creduto.',
  brandsTitle: 'Marchi',
  brandsLead: 'Quanto registra ciascuno. Ciò che un marchio tiene per sé non è mostrato.',
  brand: 'Marchio',
  recent: 'Eventi in 24 ore',
  events: 'Eventi',
  lastEvent: 'Ultimo evento',
  noBrands: 'Nessun marchio ha ancora registrato nulla.',
  refusedTitle: 'Chiavi rifiutate',
  refusedLead: 'Le più recenti, tra le ultime mille voci dell’audit.',
  refusedNone: 'Nessuna chiave è stata rifiutata.',
  when: 'Quando',
  client: 'Cliente',
  path: 'Percorso',
  reason: 'Motivo',
  times: 'Volte',
  key: 'Chiave',
  seconds: (seconds) => `${seconds} s`,
  // What to do about a finding of the verifier.
  advice: {
    restore:
      'Un blocco conservato non è quello sigillato, o manca. Scopra chi ha cambiato la base dati e ripristini la copia più recente che si verifica.',
    restorePrivate:
      'Valori privati mancano o non corrispondono al loro blocco. Dai blocchi non si possono rifare: ripristini una copia che si verifica.',
    program:
      'Un blocco non è nulla che questa versione sigilli. Il programma è più vecchio di quello che l’ha scritto? Se no, lo segnali e ripristini.',
    report:
      'Ciò che un richiamo riservato ha rivelato non è ciò che aveva sigillato. Conservi una copia, dica in pubblico di quale richiamo si tratta e lo segnali.',
    rebuild:
      'Righe accanto alla catena non sono ciò che dicono i blocchi. I blocchi sono sani: rifaccia le righe da essi.',
    picture:
      'Un’immagine manca o è un’altra. Chieda al marchio di inviarla di nuovo, o ripristini una copia.',
    audit:
      'Il registro di audit non è quello concatenato: qualcuno ha cambiato la base dati senza passare dalla piattaforma. Rimetta le sue righe da una copia e scopra chi è stato.',
    key: 'Una chiave conservata non è ciò che l’audit ne dice. Rimetta la riga o la cancelli, sostituisca la chiave e tenga per falso ciò che è arrivato con essa.',
    supplier:
      'Il collegamento di un fornitore non è ciò che l’audit ne dice. Rimetta la riga o la cancelli, e avvisi il marchio.',
    follow:
      'A un caso aperto mancava ciò che danno i suoi blocchi: è stato spostato in avanti fin dove i casi sono stati seguiti. Un hub in funzione lo aggiunge. Scopra chi ha cambiato la base dati, poi verifichi.',
    decision:
      'Ciò che dice che le vecchie decisioni sono sigillate manca o differisce. Scopra chi ha cambiato la base dati, poi ricostruisca.',
    tip: 'La fine della catena è stata tagliata o sostituita. Se ha rimesso una copia di proposito, la accetti; se no, scopra la causa prima di ripristinare.',
    tipRecord:
      'La nota della fine della catena manca o non si legge. Confronti la fine con quella dell’ultima copia, poi la accetti.',
    log: 'I blocchi non sono quelli firmati dal registro, e nulla è più firmato. Rimetta i blocchi firmati, o chiuda il registro.',
    logRecord:
      'La nota di ciò che è stato firmato è danneggiata. La rimetta da una copia, o si assicuri che la catena sia intera, la tolga e verifichi.',
    unconfirmed:
      'Troppo pochi testimoni dicono che cosa hanno visto. Ripari ciò che li tiene lontani; se la base dati contiene tutto ciò che è stato firmato, lo accetti.',
    witnessAhead:
      'Un testimone ha cofirmato un albero più grande: si sono persi blocchi, o la piattaforma gira da una copia più vecchia. Guardi il registro e chieda a chi gestisce il testimone.',
    witnessRefuses:
      'Un testimone dice che l’albero più recente non segue il suo. Confronti con chi lo gestisce quale albero ha cofirmato.',
    storage:
      'La base dati è danneggiata, di solito dal disco. Fermi il servizio, esamini il disco e ripristini su un altro.',
    unknown:
      'Questa versione non conosce il riscontro. Lo cerchi nella guida operativa della versione che l’ha trovato.',
  },
  hubKeys: {
    title: 'Chiavi della piattaforma',
    lead: 'Con una chiave un programma scrive e legge; ognuna vale per un marchio, per qualsiasi marchio o per l’amministrazione della piattaforma.',
    opens: 'Apre',
    admin: 'l’amministrazione della piattaforma',
    anyBrand: 'qualsiasi marchio',
    kinds: {
      admin: 'l’amministrazione della piattaforma',
      brand: 'un marchio, per inviare eventi',
      any: 'qualsiasi marchio, per inviare eventi',
    },
    brand: 'Marchio',
    brandHint: 'L’identificativo del marchio, se la chiave è per uno solo.',
    makeLead:
      'Una chiave che legge ciò che un marchio tiene per sé la creano i responsabili del marchio. Una chiave creata qui per un marchio sta tra le sue chiavi e nel suo registro.',
    ended: 'Terminata',
    ofSettings: (name) =>
      html`Viene dalle impostazioni: cambi anche ${name}, altrimenti il prossimo avvio la rende di
      nuovo valida.`,
    noneFound: 'Non c’è una chiave simile.',
    full: 'Ci sono tante chiavi quante possono essere valide. Ne revochi prima una.',
  },
} satisfies Words['console']['operator'];
