// The console, what a person reads when something was refused or failed, in Italian.
import type { Words } from '../../en.ts';

export const errors = {
  forbidden: {
    title: 'Il suo ruolo non lo permette',
    advice: (role) => `Serve il ruolo ${role}. Lo chieda a un responsabile del marchio.`,
    adviceOfHub: (role) => `Serve il ruolo ${role}. Lo chieda a chi gestisce la piattaforma.`,
  },
  notFound: {
    title: 'Qui non c’è nulla',
    advice: 'È stato rimosso, o appartiene a un marchio di cui lei non fa parte.',
  },
  linkUsedUp: {
    title: 'Questo link non vale più',
    advice: 'È stato usato, è scaduto o è stato ritirato. Ne chieda uno nuovo.',
  },
  crossSite: {
    title: 'Questo non veniva da una pagina di questa piattaforma',
    advice: 'Per la sua sicurezza non è stato fatto nulla. Apra la console e provi lì.',
  },
  conflict: {
    title: 'Questo non è stato fatto',
    advice: 'È cambiato nello stesso momento, o ora non si può fare. Lo guardi di nuovo.',
  },
  limitReached: { title: 'È stato raggiunto il massimo', advice: 'Ne rimuova prima uno.' },
  invalid: {
    title: 'Questa richiesta non si capisce',
    advice: 'Ricominci dalla console.',
  },
  tooLarge: {
    title: 'È più di quanto contiene un modulo',
    advice: 'Non è stato cambiato nulla. Torni indietro e lo invii in più passi.',
  },
  signOn: {
    title: 'L’accesso unico non ha funzionato',
    advice:
      'Ricominci dalla pagina di accesso. Se succede ancora, chieda a chi gestisce questa piattaforma.',
  },
  signOnRefused: {
    title: 'L’accesso unico non la fa entrare',
    advice:
      'Il suo fornitore non ha confermato il suo indirizzo e-mail, o non nomina alcun marchio di questa piattaforma. Chieda un invito a un responsabile del suo marchio.',
  },
  signOnAway: {
    title: 'L’accesso unico non risponde',
    advice: 'Il suo fornitore ora non risponde. Riprovi tra un minuto.',
  },
  passwordsOff: {
    title: 'Le parole d’accesso qui sono disattivate',
    advice: 'Entri con l’accesso unico.',
  },
  tooMany: { title: 'Troppe richieste', advice: 'Attenda un minuto, poi continui.' },
  unavailable: {
    title: 'Non è stato salvato nulla',
    advice: 'Il servizio ora non può scrivere. Torni indietro e riprovi tra un minuto.',
  },
  otherwise: {
    title: 'Questa pagina ora non si può mostrare',
    advice: 'Il servizio non ha potuto rispondere. Riprovi tra un minuto.',
  },
  toConsole: 'Alla console',
  request: (id) => `Richiesta ${id}`,
} satisfies Words['console']['errors'];
