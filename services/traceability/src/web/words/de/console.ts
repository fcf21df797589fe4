// The console, in German.
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
    title: 'Rückrufe von Lieferanten',
    lead: 'Veröffentlichte Rückrufe von Marken, mit denen Ihre Lieferanten verknüpft sind, soweit sie Ihre Chargen erreichen.',
    show: 'Anzeigen',
    states: { open: 'Offene', all: 'Auch beendete' },
    none: 'Kein Rückruf eines verknüpften Lieferanten erreicht Ihre Chargen.',
    noneHint:
      'Verknüpfen Sie Ihre Lieferanten mit deren Marken auf dieser Plattform; dann erscheinen deren Rückrufe hier von selbst.',
    toSuppliers: 'Lieferanten verknüpfen',
    of: (brand) => ['Rückruf von ', brand],
    since: (at) => ['Seit ', at],
    ended: (at) => ['Beendet am ', at],
    notice: 'Öffentliche Meldung',
    receivedTitle: 'Von Ihnen empfangen',
    code: 'Charge des Lieferanten',
    supplier: 'Lieferant',
    simulate: 'Simulieren',
    lotsTitle: 'Ihre Chargen, die er erreicht',
    noLots: 'Keine Ihrer Chargen ist erreicht.',
    atLeast: (count) => `${count} oder mehr`,
    ownCases: (cases) => ['Ihre offenen Fälle dazu: ', cases],
    hold: 'Diese Chargen sperren',
    holdAdvice: (count) =>
      `Gesperrt werden ${count} Chargen, genau die, die der Rückruf in diesem Moment erreicht. Kein Fall wird eröffnet und keine Meldung veröffentlicht.`,
    holdNow: 'Jetzt sperren',
    holdReason: 'Grund',
    gone: 'Dieser Rückruf erreicht keine Ihrer Chargen mehr. Es wurde nichts gesperrt.',
    older: 'Ältere Rückrufe',
    done: { held: 'Alle Chargen, die der Rückruf erreicht, sind gesperrt.' },
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
    title: 'Konsole',
    menu: 'Menü',
    pages: 'Seiten der Konsole',
    account: 'Konto',
    logOut: 'Abmelden',
    people: 'Personen',
    keys: 'Schlüssel',
    hub: 'Plattform',
    brands: 'Marken',
    operators: 'Betreiber',
    otherBrand: 'Andere Marke wählen',
  },
  roles: { viewer: 'Lesen', quality: 'Qualität', manager: 'Leitung', operator: 'Betreiber' },
  roleHints: {
    viewer: 'liest alles, was die Marke hat',
    quality: 'sperrt auch Chargen, simuliert, ruft zurück, korrigiert und importiert',
    manager: 'verwaltet auch Personen, Schlüssel und das, was Verbraucher über die Marke lesen',
  },
  rights: {
    read: 'Chargen, Ereignisse, Rückrufe und Berichte lesen',
    hold: 'Chargen sperren und freigeben',
    simulate: 'Rückrufe simulieren und üben',
    recall: 'Rückrufe eröffnen, bearbeiten und abschließen',
    correct: 'Ereignisse korrigieren',
    import: 'Ereignisse aus Dateien importieren',
    people: 'Personen einladen und ihre Rollen ändern',
    keys: 'Schlüssel ausstellen und widerrufen',
    brand: 'bearbeiten, was Verbraucher über die Marke lesen',
    products: 'Produkte bearbeiten',
    places: 'Orte bearbeiten',
    suppliers: 'Lieferanten verknüpfen',
    webhooks: 'Webhooks einrichten',
    erase: 'vertrauliche Werte löschen',
    disclose: 'vertrauliche Werte für eine Behörde öffnen',
  },
  form: {
    lookAtFields: 'Bitte sehen Sie sich die markierten Felder an.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    copyFailed: 'Bitte markieren und kopieren',
    actions: 'Aktionen',
    more: 'Mehr anzeigen',
  },
  filters: {
    apply: 'Anzeigen',
    clear: 'Filter löschen',
    all: 'Alle',
    pages: 'Seiten der Liste',
    previous: 'Zurück',
    next: 'Weiter',
    range: (from: string, to: string, total: string) => `${from}–${to} von ${total}`,
    rangeOfMore: (from: string, to: string, total: string) => `${from}–${to} von mehr als ${total}`,
    moreThan: (total: string) => `mehr als ${total}`,
    first: 'Zur ersten Seite',
    tooFar: 'Die Liste geht weiter. Bitte grenzen Sie sie ein, um den Rest zu sehen.',
  },
  fields: {
    required: 'Bitte füllen Sie das aus.',
    blank: 'Bitte schreiben Sie etwas, das man sehen kann.',
    notOneOf: 'Bitte wählen Sie eine der Möglichkeiten.',
    tooShort: (characters) => `Bitte mindestens ${characters} Zeichen verwenden.`,
    tooLong: (characters) => `Bitte höchstens ${characters} Zeichen verwenden.`,
    refused: 'Das enthält Zeichen, die hier nicht möglich sind.',
    guessable: 'Das wird früh erraten. Bitte nehmen Sie einige Wörter, die niemand erwartet.',
    malformed: 'Das hat nicht die richtige Form.',
  },
  refusals: {
    loginFailed: 'E-Mail-Adresse oder Passwort ist falsch.',
    rateLimited: 'Zu viele Versuche. Warten Sie eine Minute, und versuchen Sie es dann wieder.',
    unavailable:
      'Nichts wurde gespeichert: Der Dienst kann jetzt nicht schreiben. Versuchen Sie es in einer Minute wieder.',
    conflict:
      'Das wurde im selben Moment geändert. Sehen Sie es sich noch einmal an, und wiederholen Sie dann, was Sie wollten.',
    limitReached: 'Es gibt so viele, wie es geben darf. Entfernen Sie zuerst eines.',
    linkUsedUp:
      'Dieser Link wurde benutzt, ist abgelaufen oder wurde zurückgezogen. Bitten Sie um einen neuen.',
  },
  done: {
    'brand-left': 'Sie haben die Marke verlassen.',
    'invitation-revoked': 'Die Einladung ist zurückgezogen; ihr Link gilt nicht mehr.',
    'key-revoked': 'Der Schlüssel ist widerrufen; Anfragen mit ihm werden ab jetzt abgelehnt.',
    'logged-out': 'Sie sind abgemeldet.',
    'name-saved': 'Ihr Name ist gespeichert.',
    'operator-removed': 'Die Person betreibt die Plattform nicht mehr.',
    'password-saved': 'Ihr Passwort ist geändert. Alle Ihre anderen Sitzungen sind beendet.',
    'person-removed': 'Die Person ist aus der Marke entfernt.',
    'role-saved': 'Die Rolle ist geändert.',
    'session-ended': 'Die Sitzung ist beendet.',
    'sessions-ended': 'Alle Ihre anderen Sitzungen sind beendet.',
    erased: 'Ihr Konto ist gelöscht.',
  },
  again: {
    title: 'Bitte noch einmal anmelden',
    ended:
      'Ihre Sitzung ist beendet. Noch ist nichts getan, und nichts von dem, was Sie eingegeben haben, ist verloren.',
    passwordsNot: 'Passwörter werden nicht behalten: Geben Sie sie noch einmal ein.',
    logIn: 'Anmelden und mein Formular wieder zeigen',
    elsewhere: 'Ich habe mich in einem anderen Fenster angemeldet',
    shown:
      'Sie sind wieder angemeldet. Sehen Sie sich das Formular an, und schicken Sie es dann noch einmal ab.',
  },
  choice: {
    title: 'Marke wählen',
    none: 'Sie sind noch in keiner Marke',
    noneAdvice: 'Bitten Sie die Leitung Ihrer Marke um eine Einladung. Sie kommt als Link.',
    hub: 'Plattform betreiben',
    operates: 'Marken und Betreiber der ganzen Plattform',
  },
  people: {
    title: 'Personen',
    lead: 'Wer für diese Marke arbeitet, und was jede und jeder darf.',
    name: 'Name',
    email: 'E-Mail-Adresse',
    role: 'Rolle',
    since: 'Seit',
    you: 'Sie',
    change: 'Ändern',
    changeRole: 'Rolle ändern',
    remove: 'Entfernen',
    removeAdvice: (name) =>
      html`${name} verliert sofort den Zugang zu dieser Marke. Was ${name} getan hat, behält den
      Namen.`,
    removeNow: 'Jetzt entfernen',
    inviteTitle: 'Jemanden einladen',
    inviteLead:
      'Sie erhalten einen Link. Schicken Sie ihn der Person: Er gilt einmal, sieben Tage lang.',
    emailHint: 'Dann kann nur diese Person den Link benutzen.',
    emailOptional: 'E-Mail-Adresse (freiwillig)',
    invite: 'Einladung ausstellen',
    made: 'Die Einladung ist ausgestellt. Der Link wird nur dieses eine Mal gezeigt: Kopieren Sie ihn jetzt.',
    link: 'Link der Einladung',
    openTitle: 'Offene Einladungen',
    none: 'Es gibt keine offene Einladung.',
    anybody: 'Wer den Link hat',
    by: 'Von',
    ends: 'Endet',
    withdraw: 'Zurückziehen',
    withdrawAbout: (whom) => `der Einladung: ${whom}`,
    last: 'Eine Marke behält mindestens eine Person in der Leitung. Geben Sie diese Rolle zuerst jemand anderem.',
    full: 'Es gibt so viele offene Einladungen, wie es geben darf. Ziehen Sie zuerst eine zurück.',
    bySignOn: 'durch die zentrale Anmeldung',
  },
  invitations: {
    conflict:
      'Sie sind schon dabei, oder die Einladung gilt einer anderen E-Mail-Adresse, oder zu Ihrer gibt es ein Konto: Melden Sie sich dann zuerst an.',
    full: 'Es ist kein Platz frei: Fragen Sie, wer Sie einlädt.',
  },
  me: {
    title: 'Mein Konto',
    lastOne:
      'Sie sind die letzte Person in der Leitung einer Marke, der letzte Betreiber, oder die letzte, der eine Gruppe gehört. Übergeben Sie das zuerst.',
    brands: 'Marken, für die Sie arbeiten',
    leave: 'Verlassen',
    leaveAdvice: (name) =>
      html`Sie verlieren sofort den Zugang zu ${name}. Was Sie dort getan haben, behält Ihren Namen.
      Zurück führt nur eine neue Einladung.`,
    leaveNow: 'Jetzt verlassen',
    lastManager:
      'Sie sind die letzte Person in der Leitung dieser Marke. Geben Sie zuerst jemand anderem die Leitung.',
    notIn: 'Sie sind nicht mehr in dieser Marke.',
  },
  keys: {
    title: 'Schlüssel',
    lead: 'Mit einem Schlüssel schreibt und liest ein Programm für diese Marke.',
    label: 'Bezeichnung',
    labelHint:
      'Was den Schlüssel benutzt, etwa die Warenwirtschaft. Es steht im Protokoll bei dem, was der Schlüssel tut.',
    limit: 'Darf',
    limits: {
      read: 'nur lesen',
      'post-events': 'nur Ereignisse senden',
      all: 'alles tun',
    },
    made: 'Ausgestellt',
    lastUse: 'Zuletzt benutzt',
    never: 'Nie',
    state: 'Zustand',
    active: 'Gültig',
    endsAt: (at) => html`Endet am ${at}`,
    revoked: 'Widerrufen',
    none: 'Diese Marke hat noch keinen eigenen Schlüssel.',
    ended: 'Beendete Schlüssel',
    makeTitle: 'Schlüssel ausstellen',
    make: 'Schlüssel ausstellen',
    issued:
      'Der Schlüssel ist ausgestellt. Er wird nur dieses eine Mal gezeigt: Kopieren Sie ihn jetzt.',
    rotated:
      'Der neue Schlüssel ist ausgestellt. Er wird nur dieses eine Mal gezeigt: Kopieren Sie ihn jetzt. Der alte gilt noch einen Tag.',
    key: 'Schlüssel',
    tryIt: 'Im Terminal ausprobieren',
    rotate: 'Ersetzen',
    rotateAdvice:
      'Sie erhalten einen neuen Schlüssel mit derselben Bezeichnung und denselben Rechten. Der alte gilt noch einen Tag.',
    rotateNow: 'Neuen Schlüssel ausstellen',
    revoke: 'Widerrufen',
    revokeAdvice: (label) => html`Was den Schlüssel ${label} benutzt, wird sofort abgelehnt.`,
    revokeNow: 'Jetzt widerrufen',
    full: 'Es gibt so viele Schlüssel, wie eine Marke haben darf. Widerrufen Sie zuerst einen.',
  },
  brands: {
    title: 'Marken',
    lead: 'Alle Marken dieser Plattform. Was eine Marke für sich behält, steht hier nicht.',
    brand: 'Marke',
    id: 'Kennung',
    managers: 'Leitung',
    people: 'Personen',
    none: 'Es gibt noch keine Marke: Laden Sie die erste Leitung einer Marke ein.',
    noManager: 'Ohne Leitung',
    hasManager: 'Diese Marke hat eine Leitung; die lädt ihre Personen ein.',
    openTitle: 'Offene Einladungen für die erste Leitung',
    withdrawAdvice: 'Der Link gilt dann nicht mehr.',
    withdrawNow: 'Jetzt zurückziehen',
    inviteTitle: 'Die erste Leitung einer Marke einladen',
    inviteLead:
      'Die Marke muss noch keine Ereignisse haben. Sie erhalten einen Link: Schicken Sie ihn der Person.',
    idHint:
      'So, wie sie im Kopf X-Tenant-Id steht: Buchstaben, Ziffern, Punkt, Unterstrich, Bindestrich.',
  },
  operators: {
    title: 'Betreiber',
    lead: 'Wer die Marken der Plattform, ihre Schlüssel, ihren Prüfer, ihr Log und ihre Zeugen sieht.',
    removeAdvice: (name) =>
      html`${name} betreibt die Plattform dann nicht mehr. Rollen in Marken bleiben, wie sie sind.`,
    last: 'Die Plattform behält mindestens einen Betreiber. Laden Sie zuerst jemand anderen ein.',
  },
} satisfies Words['console'];
