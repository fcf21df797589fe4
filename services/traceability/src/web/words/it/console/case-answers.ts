// The console, working through the notifications of a recall case, in Italian.
import type { Words } from '../../en.ts';

export const answers = {
  title: 'Notifiche',
  lead: 'Chi è interessato dal richiamo. Inviate il testo con i vostri mezzi, annotate l’invio e poi la risposta.',
  notYet:
    'I testi si inviano appena il richiamo passa all’avviso. Fino ad allora potete prepararli.',
  csv: 'Tutte le notifiche (CSV)',
  audience: 'Destinata a',
  audiences: {
    customer: 'Cliente',
    channel: 'Canale di vendita',
    supplier: 'Fornitore',
    internal_qa: 'Qualità interna',
    regulator: 'Autorità',
    public: 'Pubblico',
  },
  status: 'Stato',
  statuses: {
    pending: 'Non ancora',
    ready: 'Da inviare',
    sent: 'Senza risposta',
    acknowledged: 'Con risposta',
    resolved: 'Risolta',
  },
  recipient: 'Destinatario',
  erased: 'cancellato',
  lots: 'Lotti',
  amount: 'Quantità',
  answer: 'Risposta',
  none: 'Nessuna notifica corrisponde.',
  noneYet: 'Il richiamo non riguarda ancora nessuno.',
  selected: 'Scelta',
  pick: (recipient: string) => `Seleziona ${recipient}`,
  markPicked: 'Annota la selezione come inviata',
  markAll: (count: string, isOne: boolean) =>
    isOne
      ? 'Annota come inviata quella che attende qui'
      : `Annota come inviate le ${count} che attendono qui`,
  pickOne: 'Selezionate almeno una notifica da inviare.',
  marked: (count: string, isOne: boolean) =>
    isOne
      ? 'Una notifica è annotata come inviata.'
      : `${count} notifiche sono annotate come inviate.`,
  stayed: (count: string, isOne: boolean) =>
    isOne
      ? 'Una è rimasta com’era: nel frattempo se n’era già occupato qualcun altro.'
      : `${count} sono rimaste com’erano: nel frattempo se n’era già occupato qualcun altro.`,
  begin: 'Passale una per una',
  next: 'Prossima da inviare',
  nextSilent: 'Prossima senza risposta',
  all: 'Tutte le notifiche',
  text: 'Testo da inviare',
  textIn: (language: string) => `Testo in ${language}`,
  copyText: 'Copia il testo',
  mail: (address: string) => `Scrivi a ${address}`,
  tooLong: 'Il testo è troppo lungo per un link: copiatelo nel messaggio.',
  reached: 'Che cosa ha ricevuto questo destinatario',
  nothingReached: 'Di questi lotti nulla risulta venduto o consegnato a questo destinatario.',
  firstLots: (shown: string, all: string) => `I primi ${shown} di ${all} lotti.`,
  erasedAdvice: 'Questo cliente è stato cancellato: nessuno sa più chi fosse.',
  sentAt: 'Inviata',
  acknowledgedAt: 'Con risposta',
  resolvedAt: 'Risolta',
  block: 'Blocco',
  markSent: 'Annota come inviata',
  markSentNext: 'Annota come inviata e mostra la prossima',
  answerTitle: 'Inserisci la risposta',
  nowIs: 'Il destinatario ha',
  acknowledged: 'confermato: ne è al corrente',
  resolved: 'risolto: non resta nulla di aperto',
  accounted: (unit: string) => `Quantità giustificata (${unit})`,
  accountedHint:
    'Ciò che il destinatario ha ancora, ha reso o distrutto. Si annota con la risposta.',
  accountedText: (amounts: string) => `Giustificato: ${amounts}.`,
  response: 'Che cosa è stato risposto (facoltativo)',
  responseHint: 'Solo per il marchio; la catena ne contiene un impegno.',
  save: 'Salva la risposta',
  saveNext: 'Salva e mostra la prossima',
  changedMeanwhile: (status: string) =>
    `Non è stato fatto nulla: nel frattempo qualcun altro si è occupato di questa notifica. Il suo stato è ora: ${status}.`,
  pendingRefused:
    'Non è stato fatto nulla: il richiamo non è passato all’avviso, quindi non c’è ancora nulla da inviare.',
} satisfies Words['console']['cases']['answers'];
