// Notifications of recalls of a lot or a product: the part of public pages, its own pages, mails and messages to
// devices, in Italian.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

type Part = string | Html;

export const watching: Words['watching'] = {
  title: 'Avvisami in caso di richiamo',
  intro: 'Riceve un avviso quando un richiamo inizia, cambia o finisce. Non viene inviato altro.',
  what: 'Che cosa seguire',
  thisLot: 'Questo lotto',
  thisProduct: 'Tutti i lotti di questo prodotto',
  email: 'Indirizzo e-mail',
  byMail: 'Inviami un link di conferma',
  onDevice: 'Avvisami su questo dispositivo',
  offDevice: 'Non avvisare più su questo dispositivo',
  deviceAdded: 'Questo dispositivo riceve avvisi.',
  deviceEnded: 'Questo dispositivo non riceve più avvisi.',
  deviceBlocked:
    'Il browser blocca le notifiche di questa pagina. Le consenta prima nelle impostazioni.',
  deviceFailed: 'Non ha funzionato. Riprovi tra un momento.',
  kept: 'Si conservano il Suo indirizzo, la lingua e ciò che segue, finché non vi mette fine.',
  keptOfMe: 'Vedere o terminare ciò che è conservato su di me',

  lotName: (code: string, brand: string) => `lotto ${code} di ${brand}`,
  productName: (product: string, brand: string) => `${product} di ${brand}`,

  asked: {
    title: 'Controlli la posta',
    text: 'Se questo indirizzo non lo segue ancora, è in arrivo un’e-mail con un link. Il link vale 48 ore. Senza conferma nulla viene conservato più a lungo.',
  },
  listed: {
    title: 'Controlli la posta',
    text: 'Se qualcosa è conservato su questo indirizzo, è in arrivo un’e-mail con un link. Il link vale un’ora e viene inviato al massimo ogni sei ore.',
  },
  confirm: {
    title: 'Ricevere avvisi di richiami',
    text: (name: Part) => ['Riceverà un avviso in caso di richiamo: ', name, '.'],
    button: 'Sì, avvisami',
    done: 'Riceverà gli avvisi',
    doneText:
      'Ogni e-mail contiene un link che vi mette fine. Dopo due anni Le si chiede una volta se continuare.',
    recalledNow: 'Al momento c’è un richiamo:',
    see: 'Che cosa si sa ora',
  },
  end: {
    title: 'Mettere fine?',
    text: (name: Part) => ['Riceve un avviso in caso di richiamo: ', name, '.'],
    button: 'Non avvisarmi più',
    done: 'È terminato',
    doneText: 'Non ne viene conservato nulla.',
  },
  renew: {
    title: 'Continuare per altri due anni?',
    text: (name: Part, date: Part) => [
      'Riceve un avviso in caso di richiamo: ',
      name,
      '. Senza risposta termina il ',
      date,
      '.',
    ],
    button: 'Continuare',
    done: 'Continua per due anni',
  },
  list: {
    title: 'Che cosa è conservato su di Lei',
    intro: (address: Part) => ['Questo è tutto ciò che è conservato su ', address, ':'],
    none: 'Su questo indirizzo non è conservato nulla.',
    until: (date: Part) => ['fino al ', date],
    pending: 'non ancora confermato',
    endOne: 'Terminare',
    endAll: 'Terminare tutto',
  },
  ask: {
    title: 'Che cosa è conservato su di me',
    text: 'Indichi l’indirizzo che riceve avvisi di richiami. Riceve un link a tutto ciò che ne è conservato e può mettervi fine lì. Su un dispositivo si termina nella pagina del lotto o del prodotto.',
    button: 'Inviami il link',
  },
  gone: {
    title: 'Questo link non porta più da nessuna parte',
    text: 'È stato usato, il suo tempo è scaduto, o ciò a cui appartiene è terminato. Di ciò che è terminato non si conserva nulla.',
  },

  mails: {
    confirm: {
      subject: (name: string) => `Da confermare: avvisi di richiami, ${name}`,
      text: 'Qualcuno, probabilmente Lei, ha chiesto che questo indirizzo riceva avvisi di richiami. Apra il link e prema il pulsante entro 48 ore. Se non è stato Lei, non faccia nulla: non viene inviato nulla e l’indirizzo viene cancellato.',
      button: 'Confermare',
    },
    list: {
      subject: 'Che cosa è conservato su di Lei',
      text: 'Qualcuno, probabilmente Lei, ha chiesto che cosa è conservato su questo indirizzo. Il link vale un’ora.',
      button: 'Vedere o terminare',
    },
    renew: {
      subject: (name: string) => `Continuare a ricevere avvisi di richiami? ${name}`,
      text: (date: string) =>
        `Riceve avvisi da quasi due anni. Senza risposta termina il ${date} e il Suo indirizzo viene cancellato.`,
      button: 'Continuare',
    },
    welcome: {
      subject: (name: string) => `Riceverà un avviso in caso di richiamo: ${name}`,
      text: 'Apparirà così.',
    },
    recall: {
      opened: (name: string) => `Richiamo: ${name}`,
      widened: (name: string) => `Richiamo: ${name}`,
      moved: (name: string) => `Richiamo, nuovo stato: ${name}`,
      edited: (name: string) => `Richiamo, nuovi dettagli: ${name}`,
      left: (name: string) => `Non fa più parte di un richiamo: ${name}`,
      closed: (name: string) => `Richiamo terminato: ${name}`,
      cancelled: (name: string) => `Richiamo annullato: ${name}`,
    },
    leftText: 'Il marchio ha accertato che questo lotto non è interessato.',
    reason: (text: string) => `Motivo (con le parole del marchio): ${text}`,
    lots: (codes: string) => `Lotti: ${codes}`,
    giveBack: (brand: string) => `Riporti il prodotto dove l’ha ottenuto o chieda a ${brand}.`,
    read: 'L’avviso completo',
    why: (name: string) => `Riceve questo perché ha chiesto avvisi di richiami: ${name}.`,
    stop: 'Non avvisarmi più',
    all: 'Che cosa è conservato su di me',
  },
};
