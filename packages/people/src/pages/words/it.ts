// Pages about oneself, in Italian.
import { html } from '@lothub/kit/html';
import type { PeopleWords } from './en.ts';

export const it = {
  fields: {
    name: 'Il suo nome',
    nameHint: 'Come lo vedono gli altri.',
    email: 'Indirizzo e-mail',
    password: 'Parola d’accesso',
    passwordHint: (characters) => `Almeno ${characters} caratteri; più parole insieme vanno bene.`,
    lookAtFields: 'Controlli i campi segnalati.',
  },
  logIn: {
    signOn: 'Entra con l’accesso unico',
    title: 'Accedi',
    noRegistration: 'Non c’è registrazione: qualcuno la invita con un link.',
    lostPassword:
      'Non ha più la parola d’accesso? Il gestore di questo servizio ne crea una nuova.',
  },
  signOn: {
    advice: {
      expired:
        'Questo accesso è già stato usato, è durato troppo o è cominciato in un altro browser. Ricominci.',
      no_account:
        'Non ha ancora un account qui. Chieda un invito a un responsabile del suo marchio o al gestore; apra il suo link e acceda da lì.',
      email_unverified:
        'Il fornitore non dice che il suo indirizzo e-mail è verificato. Lo faccia verificare lì, poi acceda di nuovo.',
      other_person:
        'L’account con il suo indirizzo e-mail appartiene presso il fornitore a un’altra persona, che aveva l’indirizzo prima di lei. Chieda al gestore di rimuovere quell’account.',
      account_removed: 'L’account è stato rimosso nello stesso momento. Chieda al gestore.',
      provider_refused:
        'Il fornitore non l’ha fatta accedere. Riprovi, o chieda a chi lo gestisce.',
      provider_away: 'Il fornitore non risponde. Riprovi tra un minuto.',
      answer_wrong:
        'Della risposta del fornitore non ci si può fidare, e nessuno ha avuto accesso. Ricominci, e avvisi il gestore se non basta.',
      clocks_differ:
        'Gli orologi del fornitore e di questo servizio sono diversi, o l’accesso è durato troppo. Ricominci, e avvisi il gestore se non basta.',
    },
  },
  setUp: {
    title: 'Messa in servizio',
    send: 'Metti in servizio',
    hub: {
      heading: 'Mettere in servizio questa piattaforma',
      lead: 'Lei ne diventa il gestore: invita il primo responsabile di ogni marchio.',
    },
    inbox: {
      heading: 'Mettere in servizio questa casella',
      lead: 'Lei ne è la prima persona, e il primo gruppo è suo.',
      group: 'Primo gruppo',
      groupName: 'Avvisi',
      groupHint: 'Chi è in un gruppo vede ciò che vi viene pubblicato.',
    },
  },
  invitation: {
    title: 'Invito',
    join: (place) => html`Entra in ${place}`,
    operate: 'Gestire questa piattaforma',
    operatorsInvite: 'Ha ricevuto un invito',
    into: {
      member: (by) =>
        html`${by} la invita in questo gruppo. Vedrà ciò che vi viene pubblicato, man mano che
        arriva.`,
      owner: (by) =>
        html`${by} la invita in questo gruppo come uno dei suoi proprietari. Vedrà ciò che vi viene
        pubblicato, man mano che arriva.`,
      viewer: (by) =>
        html`${by} la invita in questo marchio, in lettura. Leggerà tutto ciò che il marchio ha.`,
      quality: (by) =>
        html`${by} la invita in questo marchio, per la qualità. Potrà bloccare lotti, simulare,
        richiamare, correggere e importare.`,
      manager: (by) =>
        html`${by} la invita in questo marchio come responsabile. Gestirà anche le sue persone e le
        sue chiavi.`,
      operator: (by) =>
        html`${by} la invita a gestire questa piattaforma. Vedrà tutti i marchi, e nulla di ciò che
        tengono per sé.`,
    },
    commandLine: 'Il gestore',
    makeAccount: 'Crea un account ed entra',
    haveAccount: 'Ha già un account?',
    logInFirst: 'Acceda',
    thenJoin: ' ed entri con quello.',
    joinAs: (name) => html`Entra come ${name}`,
  },
  account: {
    name: 'Nome',
    save: 'Salva',
    password: 'Parola d’accesso',
    passwordEnds: 'Con una nuova terminano tutte le sue altre sessioni.',
    oldPassword: 'Parola d’accesso attuale',
    newPassword: 'Nuova parola d’accesso',
    changePassword: 'Cambia la parola d’accesso',
    notYourPassword: 'Questa non è la sua parola d’accesso.',
    sessions: 'Sessioni',
    whereLoggedIn: 'Dove ha effettuato l’accesso',
    browser: 'Browser',
    since: 'Da',
    lastSeen: 'Ultimo uso',
    actions: 'Azioni',
    thisOne: 'Questa',
    end: 'Termina',
    endAbout: (browser) => `la sessione di ${browser}`,
    endOthers: 'Termina tutte le altre sessioni',
    endOthersAsked: 'Terminare davvero tutte le altre sessioni?',
    unknownBrowser: 'Browser sconosciuto',
    browserOn: (browser, system) => `${browser} su ${system}`,
    data: 'I suoi dati',
    dataLead: 'Tutto ciò che è conservato sul suo account, in un file (JSON).',
    export: 'Salva il file',
    erase: 'Cancellare l’account',
    eraseLead:
      'Terminano tutte le sue sessioni; il suo indirizzo e-mail e la sua parola d’accesso vengono cancellati. Il suo nome resta dove è una prova: nel registro e in ciò che ha deciso.',
    eraseHow:
      'Salvi prima i suoi dati. Scriva poi il suo indirizzo e-mail per cancellare l’account.',
    eraseNow: 'Cancella il mio account',
    notYourEmail: 'Questo non è il suo indirizzo e-mail.',
  },
} satisfies PeopleWords;
