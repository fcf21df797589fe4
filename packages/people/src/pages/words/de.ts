// Pages about oneself, in German.
import { html } from '@lothub/kit/html';
import type { PeopleWords } from './en.ts';

export const de = {
  fields: {
    name: 'Ihr Name',
    nameHint: 'So, wie die anderen ihn sehen.',
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    passwordHint: (characters) =>
      `Mindestens ${characters} Zeichen; einige Wörter zusammen sind gut.`,
    lookAtFields: 'Bitte sehen Sie sich die markierten Felder an.',
  },
  logIn: {
    signOn: 'Zentral anmelden (Single Sign-on)',
    title: 'Anmelden',
    noRegistration: 'Eine Registrierung gibt es nicht: Jemand lädt Sie mit einem Link ein.',
    lostPassword:
      'Sie haben Ihr Passwort nicht mehr? Der Betreiber dieses Dienstes setzt ein neues.',
  },
  signOn: {
    advice: {
      expired:
        'Diese Anmeldung wurde schon benutzt, hat zu lange gedauert oder begann in einem anderen Browser. Beginnen Sie noch einmal.',
      no_account:
        'Sie haben hier noch kein Konto. Bitten Sie die Leitung Ihrer Marke oder den Betreiber um eine Einladung; öffnen Sie deren Link und melden Sie sich von dort an.',
      email_unverified:
        'Der Anbieter sagt nicht, dass Ihre E-Mail-Adresse bestätigt ist. Lassen Sie sie dort bestätigen und melden Sie sich dann wieder an.',
      other_person:
        'Das Konto mit Ihrer E-Mail-Adresse gehört beim Anbieter jemand anderem, der die Adresse vor Ihnen hatte. Bitten Sie den Betreiber, dieses Konto zu entfernen.',
      account_removed: 'Das Konto wurde im selben Augenblick entfernt. Fragen Sie den Betreiber.',
      provider_refused:
        'Der Anbieter hat Sie nicht angemeldet. Versuchen Sie es noch einmal oder fragen Sie, wer ihn betreibt.',
      provider_away: 'Der Anbieter antwortet nicht. Versuchen Sie es in einer Minute wieder.',
      answer_wrong:
        'Der Antwort des Anbieters ist nicht zu trauen, und niemand wurde angemeldet. Beginnen Sie noch einmal, und sagen Sie es dem Betreiber, wenn das nicht hilft.',
      clocks_differ:
        'Die Uhren des Anbieters und dieses Dienstes gehen verschieden, oder die Anmeldung hat zu lange gedauert. Beginnen Sie noch einmal, und sagen Sie es dem Betreiber, wenn das nicht hilft.',
    },
  },
  setUp: {
    title: 'Einrichten',
    send: 'Einrichten',
    hub: {
      heading: 'Diese Plattform einrichten',
      lead: 'Sie werden ihr Betreiber: Sie laden die erste Leitung jeder Marke ein.',
    },
    inbox: {
      heading: 'Diesen Posteingang einrichten',
      lead: 'Sie werden die erste Person darin und besitzen die erste Gruppe.',
      group: 'Erste Gruppe',
      groupName: 'Benachrichtigungen',
      groupHint: 'Wer in einer Gruppe ist, sieht, was darin veröffentlicht wird.',
    },
  },
  invitation: {
    title: 'Einladung',
    join: (place) => html`${place} beitreten`,
    operate: 'Diese Plattform betreiben',
    operatorsInvite: 'Sie sind eingeladen',
    into: {
      member: (by) =>
        html`${by} lädt Sie in diese Gruppe ein. Sie sehen dann, was darin veröffentlicht wird,
        sobald es kommt.`,
      owner: (by) =>
        html`${by} lädt Sie in diese Gruppe ein, als eine der Personen, denen sie gehört. Sie sehen
        dann, was darin veröffentlicht wird, sobald es kommt.`,
      viewer: (by) =>
        html`${by} lädt Sie in diese Marke ein, zum Lesen. Sie lesen dann alles, was sie hat.`,
      quality: (by) =>
        html`${by} lädt Sie in diese Marke ein, für die Qualität. Sie sperren dann Chargen,
        simulieren, rufen zurück, korrigieren und importieren.`,
      manager: (by) =>
        html`${by} lädt Sie in diese Marke ein, zur Leitung. Sie verwalten dann auch ihre Personen
        und Schlüssel.`,
      operator: (by) =>
        html`${by} lädt Sie ein, diese Plattform zu betreiben. Sie sehen dann alle Marken, und
        nichts von dem, was sie für sich behalten.`,
    },
    commandLine: 'Der Betreiber',
    makeAccount: 'Konto anlegen und beitreten',
    haveAccount: 'Sie haben ein Konto?',
    logInFirst: 'Melden Sie sich an',
    thenJoin: ' und treten Sie damit bei.',
    joinAs: (name) => html`Als ${name} beitreten`,
  },
  account: {
    name: 'Name',
    save: 'Speichern',
    password: 'Passwort',
    passwordEnds: 'Mit einem neuen Passwort enden alle Ihre anderen Sitzungen.',
    oldPassword: 'Bisheriges Passwort',
    newPassword: 'Neues Passwort',
    changePassword: 'Passwort ändern',
    notYourPassword: 'Das ist nicht Ihr Passwort.',
    sessions: 'Sitzungen',
    whereLoggedIn: 'Wo Sie angemeldet sind',
    browser: 'Browser',
    since: 'Seit',
    lastSeen: 'Zuletzt gesehen',
    actions: 'Aktionen',
    thisOne: 'Diese',
    end: 'Beenden',
    endAbout: (browser) => `der Sitzung von ${browser}`,
    endOthers: 'Alle anderen Sitzungen beenden',
    endOthersAsked: 'Wirklich alle anderen Sitzungen beenden?',
    unknownBrowser: 'Unbekannter Browser',
    browserOn: (browser, system) => `${browser} unter ${system}`,
    data: 'Ihre Daten',
    dataLead: 'Alles, was zu Ihrem Konto gespeichert ist, in einer Datei (JSON).',
    export: 'Als Datei speichern',
    erase: 'Konto löschen',
    eraseLead:
      'Alle Ihre Sitzungen enden; E-Mail-Adresse und Passwort werden gelöscht. Ihr Name bleibt, wo er ein Beleg ist: im Protokoll und in dem, was Sie entschieden haben.',
    eraseHow:
      'Speichern Sie vorher Ihre Daten. Geben Sie dann Ihre E-Mail-Adresse ein, um das Konto zu löschen.',
    eraseNow: 'Mein Konto löschen',
    notYourEmail: 'Das ist nicht Ihre E-Mail-Adresse.',
  },
} satisfies PeopleWords;
