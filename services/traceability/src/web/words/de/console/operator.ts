// The console, the pages of operators, in German.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const operator = {
  title: 'Zustand der Plattform',
  lead: 'Was nicht stimmt und was zu tun ist; dann, wie weit alles ist.',
  needs: 'Braucht jetzt jemanden',
  fine: 'Alles in Ordnung',
  fineAdvice: 'Die Kette stimmt, der Uhr wird geglaubt, und niemand ist im Rückstand.',
  finding: (code, height) => `Block ${height}: ${code}`,
  clock: 'Einer Uhr wird nicht geglaubt: Nichts wird geschrieben',
  clockDo:
    'Stellen Sie die Uhr der Maschine richtig; dann geht es von selbst weiter. Geht die Uhr richtig, nehmen Sie sie an.',
  sharedKey: 'Mehrere Marken schreiben mit einem Schlüssel',
  sharedKeyDo:
    'Stellen Sie jeder Marke einen Schlüssel aus und widerrufen Sie diesen, oder nehmen Sie es an.',
  behind: 'Die Zeugen sind im Rückstand',
  behindDo: 'Sehen Sie nach, was jeder zuletzt geantwortet hat, und ob sie erreichbar sind.',
  stamps: 'Zeitstempel schlagen fehl',
  stampsDo:
    'Sehen Sie nach, ob der Dienst (TSA_URL) erreichbar ist; die Plattform fragt von selbst wieder.',
  still: 'Der Prüfer kommt nicht herum',
  stillDo: 'Seit Minuten hat er nichts geprüft. Sehen Sie in die Meldungen des Dienstes.',
  building: 'Das öffentliche Protokoll wird aufgebaut',
  buildingDo: 'Nichts zu tun: Es signiert, sobald es die Kette eingeholt hat.',
  guide: 'Mehr im Betriebshandbuch, docs/operating.md.',
  verifierTitle: 'Die Kette und ihr Prüfer',
  height: 'Höhe',
  recentBlocks: 'Blöcke in 24 Stunden',
  through: 'Geprüft bis',
  checkedAt: 'Geprüft am',
  round: 'Eine Runde dauert',
  otherProcess: 'ein anderer Prozess prüft, oder die erste Runde läuft noch',
  firstBad: 'Erster falscher Block',
  notYet: 'Die erste Prüfung ist noch nicht zu Ende',
  logTitle: 'Das öffentliche Protokoll',
  logState: 'Zustand',
  origin: 'Ursprung',
  signed: 'Signierte Blöcke',
  signedAt: 'Neuester signierter Block',
  never: 'noch nicht',
  witnessTitle: 'Zeugen',
  noPolicy:
    'Kein Regelwerk ist gesetzt (WITNESS_POLICY_FILE): Niemand außerhalb bestätigt, was diese Plattform signiert.',
  quorum: 'Mitsigniert von',
  quorumShare: (cosigned, counting) => `${cosigned} von ${counting}`,
  behindSince: 'Rückstand',
  inStep: 'auf dem Stand',
  witness: 'Zeuge',
  runBy: 'Betrieben von',
  answer: 'Letzte Antwort',
  since: 'Seit',
  tree: 'Mitsignierte Blöcke',
  own: 'vom selben Betreiber: zählt nicht',
  stampTitle: 'Zeitstempel',
  stampOff: 'Kein Dienst ist gesetzt (TSA_URL).',
  stampAt: 'Neuester',
  stampSize: 'Blöcke',
  failures: 'Fehlversuche seitdem',
  clockTitle: 'Uhren',
  clockFine: 'Der Uhr jeder Maschine wird geglaubt.',
  brandsTitle: 'Marken',
  brandsLead: 'Wie viel jede aufzeichnet. Was eine Marke für sich behält, steht hier nicht.',
  brand: 'Marke',
  recent: 'Ereignisse in 24 Stunden',
  events: 'Ereignisse',
  lastEvent: 'Neuestes Ereignis',
  noBrands: 'Noch hat keine Marke etwas aufgezeichnet.',
  refusedTitle: 'Abgelehnte Schlüssel',
  refusedLead: 'Die neuesten unter den letzten tausend Einträgen des Protokolls.',
  refusedNone: 'Kein Schlüssel wurde abgelehnt.',
  when: 'Wann',
  client: 'Von',
  path: 'Pfad',
  reason: 'Grund',
  times: 'Mal',
  key: 'Schlüssel',
  seconds: (seconds) => `${seconds} s`,
  // What to do about a finding of the verifier.
  advice: {
    restore:
      'Ein gespeicherter Block ist nicht der versiegelte, oder er fehlt. Finden Sie heraus, wer die Datenbank geändert hat, und spielen Sie die neueste Sicherung zurück, die stimmt.',
    restorePrivate:
      'Vertrauliche Werte fehlen oder passen nicht zu ihrem Block. Aus den Blöcken sind sie nicht herzustellen: Spielen Sie eine Sicherung zurück, die stimmt.',
    program:
      'Ein Block ist keiner, den diese Version versiegelt. Ist das Programm älter als das, das ihn geschrieben hat? Wenn nicht, melden Sie es, und spielen Sie eine Sicherung zurück.',
    report:
      'Was ein vertraulicher Rückruf offenlegte, ist nicht das, was er versiegelt hatte. Bewahren Sie eine Kopie auf, sagen Sie öffentlich, welcher Rückruf es ist, und melden Sie es.',
    rebuild:
      'Zeilen neben der Kette sind nicht das, was die Blöcke sagen. Die Blöcke sind in Ordnung: Stellen Sie die Zeilen aus ihnen neu her.',
    picture:
      'Ein Bild fehlt oder ist ein anderes. Lassen Sie die Marke es noch einmal senden, oder spielen Sie eine Sicherung zurück.',
    audit:
      'Das Protokoll der Handlungen ist nicht das verkettete: Jemand hat die Datenbank an der Plattform vorbei geändert. Stellen Sie seine Zeilen aus einer Sicherung wieder her, und finden Sie heraus, wer es war.',
    key: 'Ein gespeicherter Schlüssel ist nicht das, was das Protokoll von ihm sagt. Stellen Sie die Zeile wieder her oder löschen Sie sie, ersetzen Sie den Schlüssel, und halten Sie für gefälscht, was mit ihm kam.',
    supplier:
      'Die Verknüpfung eines Lieferanten ist nicht das, was das Protokoll sagt. Stellen Sie die Zeile wieder her oder löschen Sie sie, und sagen Sie es der Marke.',
    follow:
      'Einem offenen Fall fehlte, was seine Blöcke ergeben: Wie weit die Fälle verfolgt sind, wurde vorgestellt. Ein laufender Hub ergänzt es. Finden Sie heraus, wer die Datenbank geändert hat, und prüfen Sie dann.',
    decision:
      'Was sagt, dass ältere Entscheidungen versiegelt sind, fehlt oder weicht ab. Finden Sie heraus, wer die Datenbank geändert hat, und stellen Sie dann neu her.',
    tip: 'Das Ende der Kette wurde abgeschnitten oder ersetzt. Haben Sie absichtlich eine Sicherung zurückgespielt, nehmen Sie es an; wenn nicht, klären Sie es vorher.',
    tipRecord:
      'Der Vermerk über das Ende der Kette fehlt oder ist nicht lesbar. Vergleichen Sie das Ende mit dem Ihrer letzten Sicherung, und nehmen Sie es dann an.',
    log: 'Die Blöcke sind nicht die, die das Protokoll signiert hat, und nichts wird mehr signiert. Bringen Sie die signierten Blöcke zurück, oder beenden Sie das Protokoll.',
    logRecord:
      'Der Vermerk über das Signierte ist beschädigt. Stellen Sie ihn aus einer Sicherung wieder her, oder stellen Sie sicher, dass die Kette vollständig ist, entfernen Sie ihn und prüfen Sie.',
    unconfirmed:
      'Zu wenige Zeugen sagen, was sie gesehen haben. Beheben Sie, was sie fernhält; enthält die Datenbank alles, was je signiert wurde, nehmen Sie es an.',
    witnessAhead:
      'Ein Zeuge hat einen größeren Baum mitsigniert: Blöcke gingen verloren, oder die Plattform läuft aus einer älteren Kopie. Sehen Sie das Protokoll an, und fragen Sie den Betreiber des Zeugen.',
    witnessRefuses:
      'Ein Zeuge sagt, dass der neueste Baum nicht auf seinen folgt. Vergleichen Sie mit seinem Betreiber, welchen Baum er mitsigniert hat.',
    storage:
      'Die Datenbank ist beschädigt, meist durch ihre Platte. Halten Sie den Dienst an, prüfen Sie die Platte, und spielen Sie auf eine andere zurück.',
    unknown:
      'Diese Version kennt den Befund nicht. Schlagen Sie in der Betriebsanleitung der Version nach, die ihn fand.',
  },
  hubKeys: {
    title: 'Schlüssel der Plattform',
    lead: 'Mit einem Schlüssel schreibt und liest ein Programm; jeder gilt für eine Marke, für jede Marke oder für die Verwaltung der Plattform.',
    opens: 'Öffnet',
    admin: 'die Verwaltung der Plattform',
    anyBrand: 'jede Marke',
    kinds: {
      admin: 'die Verwaltung der Plattform',
      brand: 'eine Marke, um Ereignisse zu senden',
      any: 'jede Marke, um Ereignisse zu senden',
    },
    brand: 'Marke',
    brandHint: 'Die Kennung der Marke, wenn der Schlüssel für eine gilt.',
    makeLead:
      'Einen Schlüssel, der liest, was eine Marke für sich behält, stellen die Verantwortlichen der Marke aus. Ein hier für eine Marke ausgestellter Schlüssel steht unter ihren Schlüsseln und in ihrem Protokoll.',
    ended: 'Beendet',
    ofSettings: (name) =>
      html`Er kommt aus den Einstellungen: Ändern Sie auch ${name}, sonst macht ihn der nächste
      Start wieder gültig.`,
    noneFound: 'Es gibt keinen solchen Schlüssel.',
    full: 'Es gibt so viele Schlüssel, wie gelten dürfen. Widerrufen Sie zuerst einen.',
  },
} satisfies Words['console']['operator'];
