// The console, recall cases, in German.
import type { Html } from '@lothub/kit/html';
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';
import { answers } from './case-answers.ts';
import { letter } from './case-letter.ts';

export const cases = {
  title: 'Rückrufe',
  lead: 'Rückrufe der Marke, die offenen zuerst.',
  answers,
  letter,
  pages: 'Seiten des Rückrufs',
  overview: 'Rückruf',
  lots: 'Chargen',
  timeline: 'Verlauf',
  edit: 'Bearbeiten',
  report: 'Bericht',
  list: {
    open: 'Offene Rückrufe',
    ended: 'Beendete Rückrufe',
    all: 'Rückrufe',
    none: 'Es gibt keinen offenen Rückruf.',
    noneAdvice:
      'Ein Rückruf beginnt mit einer Simulation: Sie zeigt, was eine Charge erreicht, bevor etwas geschieht.',
    noneFound: 'Kein Rückruf passt zu diesen Filtern.',
    case: 'Rückruf',
    status: 'Stand',
    severity: 'Klasse',
    seed: 'Beginnt bei Charge',
    lots: 'Chargen',
    unanswered: 'Unbeantwortet',
    opened: 'Eröffnet',
    isOpen: 'offen',
    hasEnded: 'beendet',
    confidential: 'Vertraulich',
    simulate: 'Rückruf simulieren',
    drills: 'Übungen',
    inbound: 'Rückrufe von Lieferanten',
  },
  steps: {
    title: 'Nächster Schritt',
    ended: (status: string) =>
      `Dieser Rückruf ist beendet: ${status}. Nichts an ihm ändert sich mehr.`,
    to: {
      notification: 'Weiter zur Benachrichtigung',
      containment: 'Weiter zur Eindämmung',
      closed: 'Rückruf abschließen',
    },
    does: {
      notification:
        'Alle Chargen des Rückrufs gelten ab dann als zurückgerufen, und die Benachrichtigungen können verschickt werden.',
      containment: 'Sagt, dass die Betroffenen benachrichtigt sind und die Ware gesichert wird.',
      closed:
        'Der öffentliche Hinweis endet. Die Chargen bleiben zurückgerufen. Danach lässt sich am Rückruf nichts mehr ändern.',
    },
    now: {
      notification: 'Jetzt zur Benachrichtigung',
      containment: 'Jetzt zur Eindämmung',
      closed: 'Rückruf jetzt abschließen',
    },
    note: 'Notiz (freiwillig)',
    noteHint: 'Warum; nie öffentlich.',
    cancel: 'Rückruf zurücknehmen',
    cancelDoes:
      'Der Rückruf war nicht nötig. Seine Chargen sind durch ihn nicht mehr zurückgerufen, seine Sperren enden, und der öffentliche Hinweis sagt, dass der Rückruf zurückgenommen wurde. Danach lässt sich an ihm nichts mehr ändern.',
    cancelNow: 'Rückruf jetzt zurücknehmen',
    release: 'Auch die Sperren dieses Rückrufs beenden',
    releaseHint: 'Sonst bleiben seine Chargen gesperrt, bis jemand sie freigibt.',
    stillOut: 'Noch offen',
    nothingOut:
      'Nichts ist offen: Alle haben geantwortet, und keine Charge ist durch diesen Rückruf gesperrt.',
    confidential: 'Dieser Rückruf ist vertraulich',
    sealed: (steps: string, isOne: boolean) =>
      isOne
        ? 'Die Kette zeigt seine Nummer und einen versiegelten Schritt und nichts von dessen Inhalt. Sperren sind nicht öffentlich.'
        : `Die Kette zeigt seine Nummer und ${steps} versiegelte Schritte und nichts von deren Inhalt. Sperren sind nicht öffentlich.`,
    publishes:
      'Der Schritt zur Benachrichtigung veröffentlicht ihn: Titel, Grund, Klasse, Texte in anderen Sprachen, alle Chargen und Produkte und jeden Schritt bis dahin mit Datum. Namen von Personen, Notizen, Kunden und Gründe für Änderungen des Umfangs werden nie veröffentlicht.',
  },
  figures: {
    title: 'Wie weit er ist',
    lots: 'Chargen betroffen',
    held: 'durch diesen Rückruf gesperrt',
    waiting: 'zu verschicken',
    pending: 'noch nicht zu verschicken',
    silent: 'verschickt, ohne Antwort',
    answered: 'beantwortet',
    accounted: 'nachgewiesen',
    ofSold: (known: Html, sold: Html) => html`${known} von ${sold}`,
    reading: 'Die Mengen werden zusammengezählt.',
    again: 'Erneut anzeigen',
    asOf: (at: Html) => html`Mengen mit Stand vom ${at}.`,
    nothingSold: 'Von diesen Chargen ist nichts als verkauft oder geliefert erfasst.',
    byAudience: 'Nach Empfängern',
    audience: 'Empfänger',
    notifications: 'Benachrichtigungen',
    notified: 'Verschickt',
  },
  changed: {
    title: 'Geändert seit der Eröffnung',
    none: 'Der Rückruf betrifft dieselben Chargen wie bei seiner Eröffnung.',
    atOpening: 'Chargen bei der Eröffnung',
    now: 'Chargen jetzt',
    added: 'Seither dazugekommen',
    left: 'Nicht mehr betroffen',
    byHand: (added: string, excluded: string) =>
      `Von Hand: ${added} hinzugefügt, ${excluded} ausgenommen.`,
    and: (more: string) => `und ${more} weitere`,
  },
  about: {
    title: 'Was und warum',
    reason: 'Grund',
    seed: 'Beginnt bei Charge',
    ofSupplier: (lot: Html, supplier: Html) =>
      html`${lot}, eine Charge des Lieferanten ${supplier}`,
    ofAnySupplier: (lot: Html) => html`${lot}, eine Charge eines Lieferanten`,
    direction: 'Betrifft außerdem',
    directions: {
      upstream: 'woraus die Charge gemacht wurde',
      downstream: 'was aus der Charge gemacht wurde',
      both: 'woraus die Charge gemacht wurde und was aus ihr gemacht wurde',
    },
    holds: 'Sperrt seine Chargen',
    yes: 'ja, auch später dazukommende',
    no: 'nein',
    opened: 'Eröffnet',
    openedBy: (at: Html, by: Html) => html`${at} von ${by}`,
    notified: 'Benachrichtigt seit',
    ended: 'Beendet',
    languages: 'Texte auf',
  },
  notice: {
    title: 'Was Verbraucher lesen',
    open: 'Der öffentliche Hinweis und sein Verlauf, wie alle ihn sehen',
    ended: 'Der Rückruf ist beendet; seine Seite bleibt mit dem Beschlossenen öffentlich.',
    hidden: 'Von diesem Rückruf ist nichts öffentlich.',
  },
  chain: {
    title: 'Nachweise',
    steps: 'Jeder Schritt mit seinem Block',
    search: 'Blöcke des Rückrufs im Explorer',
    block: 'Block der Eröffnung',
    report: 'Der Bericht zum Drucken',
    distribution: 'Verteilerliste (CSV)',
  },
  scope: {
    lead: (lots: string) => `Chargen, die der Rückruf jetzt betrifft: ${lots}.`,
    csv: 'Alle Chargen (CSV)',
    search: 'Charge, SKU oder Charge eines Lieferanten',
    which: 'Anzeigen',
    parts: {
      covered: 'alle betroffenen',
      added: 'seit der Eröffnung dazugekommen',
      left: 'nicht mehr betroffen',
      held: 'betroffen und gesperrt',
      free: 'betroffen und nicht gesperrt',
    },
    none: 'Keine Charge passt.',
    lot: 'Charge',
    product: 'SKU',
    relation: 'Beziehung',
    relations: {
      self: 'die Charge selbst',
      upstream: 'darin verarbeitet',
      downstream: 'daraus gemacht',
    },
    distance: (steps: string, isOne: boolean) => (isOne ? 'ein Schritt' : `${steps} Schritte`),
    remaining: 'Rest',
    state: 'Zustand',
    since: 'Im Rückruf',
    leftAt: (at: Html) => html`bis ${at}`,
    firstPage: 'Erste Seite',
    changeTitle: 'Chargen hinzufügen oder ausnehmen',
    changeLead:
      'Eine hinzugefügte Charge bringt mit, wohin sie führt, jetzt und später. Eine ausgenommene Charge ist nicht betroffen, gleich wohin die Spur führt: Ihre Sperre durch diesen Rückruf endet.',
    add: 'Hinzuzufügende Chargen',
    exclude: 'Auszunehmende Chargen',
    codesHint: 'Ein Chargencode je Zeile.',
    reason: 'Grund',
    reasonHint: 'Warum; nie öffentlich.',
    save: 'Umfang ändern',
    byHandTitle: 'Von Hand hinzugefügt und ausgenommen',
    addedByHand: 'Hinzugefügt',
    excludedByHand: 'Ausgenommen',
    unknown: (lots: string) => `Keine eigene Charge hat diesen Code: ${lots}`,
    twice: 'Eine Charge ist zweimal genannt, oder es sind mehr als 10.000.',
    oneNeeded: 'Nennen Sie mindestens eine Charge zum Hinzufügen oder Ausnehmen.',
  },
  editing: {
    lead: 'Jede Änderung wird in einem neuen Block versiegelt; was vorher galt, bleibt im Verlauf.',
    title: 'Titel',
    reason: 'Grund',
    severity: 'Klasse',
    public: 'Öffentlich, sobald der Rückruf es ist.',
    language: 'Sprache von Titel und Grund',
    ofBrand: 'die der Marke',
    note: 'Notiz (freiwillig)',
    noteHint: 'Warum geändert wird; nie öffentlich.',
    translations: 'Für Verbraucher, nach Sprachen',
    translationsHint:
      'Alles freiwillig. Verbraucher lesen den Text in ihrer Sprache; alle anderen lesen Titel und Grund von oben.',
    advice: 'Was Verbraucher tun sollen (freiwillig)',
    save: 'Änderungen speichern',
    history: 'Was geändert wurde',
    none: 'Seit der Eröffnung wurde nichts geändert.',
    when: 'Wann',
    who: 'Wer',
    what: 'Was',
    fields: {
      title: 'Titel',
      reason: 'Grund',
      severity: 'Klasse',
      wording: 'Texte in anderen Sprachen',
    },
    wasIs: (field: string, was: Html, is: Html) => html`${field}: ${was} → ${is}`,
    changedTexts: (field: string) => `${field} geändert`,
    scopeBy: (added: string, excluded: string, restored: string) =>
      `Chargen von Hand: ${added} hinzugefügt, ${excluded} ausgenommen, ${restored} wieder aufgenommen`,
  },
  history: {
    lead: 'Jeder Schritt ist in einem Block der Kette versiegelt. Namen und Notizen kennt nur die Marke.',
    opened: 'Rückruf eröffnet',
    movedTo: (status: string) => `Neuer Stand: ${status}`,
    widened: 'Umfang geändert',
    edited: 'Rückruf bearbeitet',
    published: (block: Html) => html`Veröffentlicht, was ${block} versiegelt hatte`,
    entered: (lots: string, isOne: boolean) =>
      isOne ? 'Eine Charge kam dazu.' : `${lots} Chargen kamen dazu.`,
    left: (lots: string, isOne: boolean) =>
      isOne ? 'Eine Charge fiel weg.' : `${lots} Chargen fielen weg.`,
    concerned: (recipients: string, isOne: boolean) =>
      isOne
        ? 'Ein weiterer Empfänger ist betroffen.'
        : `${recipients} weitere Empfänger sind betroffen.`,
    holdsEnded: 'Die Sperren des Rückrufs endeten.',
    by: (name: Html) => html`von ${name}`,
    byHub: 'durch die Plattform, aus dem Erfassten',
    proof: 'Nachweis',
    further: (blocks: string, isOne: boolean) =>
      isOne ? 'Ein weiterer Block dieses Schritts' : `${blocks} weitere Blöcke dieses Schritts`,
    later: 'Spätere Schritte',
    notSealed: 'Dieser Rückruf wurde eröffnet, bevor die Plattform Schritte versiegelte.',
  },
  refusals: {
    moved: (status: string) =>
      `Nichts wurde geändert: Jemand anderes hat den Rückruf inzwischen geändert. Sein Stand ist jetzt: ${status}. Bitte sehen Sie ihn noch einmal an.`,
    movedBy: (by: string, at: string, status: string) =>
      `Nichts wurde geändert: ${by} hat den Rückruf inzwischen weitergeführt (${at}). Sein Stand ist jetzt: ${status}. Bitte sehen Sie ihn noch einmal an.`,
    edited:
      'Nichts wurde gespeichert: Jemand anderes hat diese Texte inzwischen geändert. Unten steht, was Sie eingegeben haben; der Rückruf hat jetzt andere Texte. Vergleichen Sie beide und speichern Sie dann noch einmal.',
    ended: 'Nichts wurde gespeichert: Der Rückruf ist beendet und lässt sich nicht mehr ändern.',
  },
  done: {
    moved: 'Der Rückruf hat einen neuen Stand.',
    closed: 'Der Rückruf ist abgeschlossen.',
    cancelled: 'Der Rückruf ist zurückgenommen.',
    edited: 'Die Änderungen sind gespeichert und versiegelt.',
    'scope-changed': 'Der Umfang ist geändert und versiegelt.',
    unchanged: 'Nichts wurde geändert: Der Rückruf sagt das schon.',
    sent: 'Als verschickt vermerkt.',
    answered: 'Die Antwort ist vermerkt und versiegelt.',
  },
} satisfies Words['console']['cases'];
