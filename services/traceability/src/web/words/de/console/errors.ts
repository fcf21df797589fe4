// The console, what a person reads when something was refused or failed, in German.
import type { Words } from '../../en.ts';

export const errors = {
  forbidden: {
    title: 'Ihre Rolle erlaubt das nicht',
    advice: (role) => `Dazu braucht es die Rolle ${role}. Bitten Sie die Leitung der Marke darum.`,
    adviceOfHub: (role) =>
      `Dazu braucht es die Rolle ${role}. Bitten Sie jemanden darum, der die Plattform betreibt.`,
  },
  notFound: {
    title: 'Hier ist nichts',
    advice: 'Es wurde entfernt, oder es gehört zu einer Marke, in der Sie nicht sind.',
  },
  linkUsedUp: {
    title: 'Dieser Link gilt nicht mehr',
    advice: 'Er wurde benutzt, ist abgelaufen oder wurde zurückgezogen. Bitten Sie um einen neuen.',
  },
  crossSite: {
    title: 'Das kam nicht von einer Seite dieser Plattform',
    advice:
      'Zu Ihrer Sicherheit wurde nichts getan. Öffnen Sie die Konsole, und versuchen Sie es dort.',
  },
  conflict: {
    title: 'Das wurde nicht getan',
    advice:
      'Es wurde im selben Moment geändert, oder es geht jetzt nicht. Sehen Sie es sich noch einmal an.',
  },
  limitReached: {
    title: 'Es gibt so viele, wie es geben darf',
    advice: 'Entfernen Sie zuerst eines.',
  },
  invalid: {
    title: 'Diese Anfrage ist nicht zu verstehen',
    advice: 'Beginnen Sie noch einmal in der Konsole.',
  },
  tooLarge: {
    title: 'Das ist mehr, als ein Formular fasst',
    advice: 'Es wurde nichts geändert. Gehen Sie zurück und senden Sie es in mehreren Schritten.',
  },
  signOn: {
    title: 'Die zentrale Anmeldung hat nicht geklappt',
    advice:
      'Beginnen Sie noch einmal mit der Anmeldung. Geschieht es wieder, fragen Sie den Betreiber dieser Plattform.',
  },
  signOnRefused: {
    title: 'Die zentrale Anmeldung lässt Sie nicht ein',
    advice:
      'Ihr Anbieter hat Ihre E-Mail-Adresse nicht bestätigt, oder er nennt keine Marke dieser Plattform. Bitten Sie die Leitung Ihrer Marke um eine Einladung.',
  },
  signOnAway: {
    title: 'Die zentrale Anmeldung antwortet nicht',
    advice: 'Ihr Anbieter antwortet jetzt nicht. Versuchen Sie es in einer Minute wieder.',
  },
  passwordsOff: {
    title: 'Passwörter sind hier abgeschaltet',
    advice: 'Melden Sie sich über die zentrale Anmeldung an.',
  },
  tooMany: {
    title: 'Zu viele Anfragen',
    advice: 'Warten Sie eine Minute, und machen Sie dann weiter.',
  },
  unavailable: {
    title: 'Nichts wurde gespeichert',
    advice:
      'Der Dienst kann jetzt nicht schreiben. Gehen Sie zurück, und versuchen Sie es in einer Minute wieder.',
  },
  otherwise: {
    title: 'Diese Seite kann jetzt nicht gezeigt werden',
    advice: 'Der Dienst konnte nicht antworten. Versuchen Sie es in einer Minute wieder.',
  },
  toConsole: 'Zur Konsole',
  request: (id) => `Anfrage ${id}`,
} satisfies Words['console']['errors'];
