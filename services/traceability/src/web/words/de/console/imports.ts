// The console, importing files, in German.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const imports = {
  title: 'Import',
  lead: 'Ereignisse aus einer CSV- oder Excel-Datei. Die Datei wird zuerst geprüft; gespeichert wird erst, wenn Sie es sagen.',
  send: {
    title: 'Neue Datei',
    label: 'CSV- oder Excel-Datei (.xlsx)',
    hint: (csv, workbook) => `CSV bis ${csv}, Excel bis ${workbook}.`,
    drop: 'Legen Sie die Datei hier ab oder wählen Sie sie aus.',
    button: 'Datei ansehen',
    sending: 'Die Datei wird gesendet …',
    template: 'Vorlage zum Ausfüllen (Excel)',
  },
  refused: {
    brand_full: (most) =>
      `${most} Dateien dieser Marke warten bereits. Importieren oder entfernen Sie zuerst eine.`,
    hub_full: 'Auf dieser Plattform warten zu viele Dateien. Versuchen Sie es später noch einmal.',
    workbook_too_large: (most) =>
      `Diese Arbeitsmappe ist größer als ${most}. Speichern Sie das Blatt als CSV und senden Sie das.`,
    too_large: (most) => `Diese Datei ist größer als ${most}. Teilen Sie sie auf.`,
    empty: 'Diese Datei ist leer.',
    old_workbook:
      'Das ist eine Arbeitsmappe eines älteren Programms oder eine mit Kennwort. Speichern Sie sie als .xlsx ohne Kennwort.',
    noFile: 'Wählen Sie zuerst eine Datei aus.',
    incomplete: 'Die Datei ist nicht vollständig angekommen. Senden Sie sie noch einmal.',
    changed: 'Jemand anderes war schneller: So steht es jetzt um diesen Import.',
    elsewhere: (machine) =>
      html`Diese Datei liegt auf einem anderen Rechner der Plattform, ${machine}. Nur dort geht es
      weiter; oder senden Sie die Datei noch einmal.`,
  },
  list: {
    title: 'Frühere Importe',
    none: 'Es wurde noch keine Datei importiert. Senden Sie oben die erste; die Vorlage zeigt, welche Spalten es gibt.',
    noneForViewer: 'Es wurde noch keine Datei importiert.',
    noneFound: 'Kein Import passt zu diesen Filtern.',
    withErrors: 'Mit Fehlern',
    file: 'Datei',
    when: 'Gesendet',
    who: 'Von',
    rows: 'Zeilen',
    accepted: 'Gespeichert',
    rejected: 'Fehlerhaft',
    state: 'Stand',
    byKey: 'über die Schnittstelle',
    unnamed: 'ohne Namen',
    kept: (days) => `Importe bleiben ${days} Tage in dieser Liste.`,
  },
  states: {
    open: 'Spalten ansehen',
    checking: 'Wird geprüft',
    checked: 'Geprüft',
    importing: 'Wird importiert',
    imported: 'Importiert',
    stopped: 'Abgebrochen',
    failed: 'Nicht importiert',
    removed: 'Entfernt',
  },
  facts: {
    rows: 'Zeilen',
    events: 'Ereignisse',
    wouldBeStored: 'Würden gespeichert',
    stored: 'Gespeichert',
    duplicates: 'Schon vorhanden',
    wrong: 'Fehlerhaft',
  },
  read: {
    title: 'Wie die Datei gelesen wurde',
    encoding: 'Zeichensatz',
    delimiter: 'Zwischen den Zellen',
    sheet: 'Blatt',
    decimal: 'Dezimalzeichen',
    dates: 'Datum',
    timeZone: 'Zeitzone',
    timeZoneHint: 'Für Zeiten ohne Zeitzone.',
    timeOfDay: 'Uhrzeit für Daten ohne Uhrzeit',
    auto: 'wie in der Datei gefunden',
    delimiters: { comma: 'Komma', semicolon: 'Semikolon', tab: 'Tabulator' },
    marks: { point: '1234.5 (Punkt)', comma: '1234,5 (Komma)' },
    orders: { dmy: 'Tag, Monat, Jahr', mdy: 'Monat, Tag, Jahr', ymd: 'Jahr, Monat, Tag' },
    found: (what) => `gefunden: ${what}`,
    again: 'Neu lesen',
  },
  columns: {
    title: 'Was die Spalten sind',
    lead: 'Geben Sie zu jeder Spalte der Datei an, was sie ist, oder lassen Sie sie weg.',
    kept: 'Diese Spalten wurden bei einer früheren Datei zugeordnet; hier gilt dasselbe. Sie können es ändern.',
    guessed:
      'Was die Namen der Spalten nahelegen, ist schon gewählt. Sehen Sie nach, ob es stimmt.',
    sample: 'Erste Werte',
    leaveOut: 'weglassen',
    check: 'Datei prüfen',
    missingTitle: 'Was die Datei nicht sagt',
    missingLead:
      'Jedes Ereignis braucht diese Angaben, und keine Spalte hat sie: Geben Sie an, was für alle Zeilen gilt.',
    usual: 'wie bei der Art des Ereignisses üblich',
    directions: {
      in: 'ein (erhalten oder verbraucht)',
      out: 'aus (hergestellt, versandt oder verkauft)',
    },
    referenceHint:
      'Zum Beispiel die Nummer eines Lieferscheins. Zeilen mit gleicher Art, Zeit und gleichem Zeichen bilden ein Ereignis.',
    missing: (field) =>
      `Keine Spalte ist „${field}“. Wählen Sie eine, oder geben Sie unten an, was für alle Zeilen gilt.`,
    twice: (field) => `Zwei Spalten sind „${field}“. Lassen Sie eine weg.`,
    change: 'Spalten ändern',
    notAZone: 'Eine Zeitzone mit diesem Namen gibt es nicht.',
    notATime: 'Bitte geben Sie eine Uhrzeit wie 12:00 an.',
  },
  fields: { external_id: 'Kennung des Ereignisses', event_type: 'Art des Ereignisses' },
  running: {
    checking: 'Die Datei wird geprüft.',
    importing: 'Die Ereignisse werden gespeichert.',
    progress: (done, all) => `Ereignisse: ${done} von ${all}`,
    waits:
      'Diese Seite aktualisiert sich selbst. Sie können sie verlassen; die Arbeit geht weiter.',
  },
  checked: {
    good: (events) => `Alles in Ordnung. Zu speichernde Ereignisse: ${events}.`,
    some: (wrong) => `Fehlerhafte Ereignisse: ${wrong}.`,
    nothing: 'Alles in dieser Datei ist schon gespeichert.',
    noneGood: 'Keines der Ereignisse kann gespeichert werden.',
    importNow: 'Jetzt importieren',
    importGood: (events) => `Nur die richtigen Ereignisse importieren (${events})`,
    importGoodLead: (wrong) =>
      `Fehlerhafte Ereignisse bleiben weg: ${wrong}. Ist die Datei später berichtigt, kommen sie mit ihr dazu.`,
    refused:
      'Seit der Prüfung wurde etwas gespeichert, das im Weg steht. Von dieser Datei wurde nichts gespeichert; dies ist eine neue Prüfung.',
    remove: 'Datei entfernen',
    removeLead: 'Die Datei wird von der Plattform gelöscht. Gespeichert wird nichts von ihr.',
    removeNow: 'Jetzt entfernen',
  },
  wrong: {
    title: 'Fehlerhafte Zeilen',
    lead: 'So stehen sie in der Datei, mit dem, was falsch ist. Berichtigen Sie eine Zelle hier, oder in Ihrer Datei und senden Sie diese noch einmal.',
    leadImported: 'Diese Zeilen wurden weggelassen.',
    row: (row) => `Zeile ${row}`,
    mend: 'Mit diesen Zellen noch einmal prüfen',
    next: 'Weitere fehlerhafte Zeilen',
    empty: 'leer',
    noCells: 'Die Zellen der Datei werden einen Tag lang aufbewahrt.',
  },
  warnings: {
    title: 'Bitte ansehen',
    rows: (rows) => `Zeilen ${rows}`,
    codes: {
      no_offset: 'Die Zeitzone ist nicht bekannt: Die Zeiten wurden als UTC gelesen.',
      private_field_dropped:
        'Kunden und Vertriebswege werden nur bei Verkäufen aufbewahrt, Empfänger nur beim Versand; die übrigen bleiben weg.',
      channel_unknown: 'Der Vertriebsweg ist nicht bekannt: Öffentlich steht „andere“.',
      occurred_in_future: 'Die Zeit liegt mehr als einen Tag in der Zukunft.',
      unusual_direction: 'Die Richtung ist für diese Art von Ereignis ungewöhnlich.',
      correction_without_target:
        'Eine Korrektur ohne das Ereignis, das sie korrigiert, ändert nichts.',
      lot_on_hold: 'Eine Charge ist gesperrt.',
    },
  },
  done: {
    title: (events) => `Gespeicherte Ereignisse: ${events}.`,
    none: 'In dieser Datei war nichts Neues.',
    rejected: (wrong) => `Weggelassene Ereignisse: ${wrong}.`,
    blocks: 'Ereignisse und ihre Blöcke',
    row: 'Zeile',
    event: 'Ereignis',
    block: 'Block',
    firstShown: (shown) => `Die ersten ${shown}.`,
    another: 'Weitere Datei importieren',
  },
  stopped: {
    title: 'Der Import ist abgebrochen.',
    lead: (stored) =>
      `Gespeicherte Ereignisse, mindestens: ${stored}. Importieren Sie noch einmal: Gespeichertes wird erkannt, der Rest kommt dazu.`,
    again: 'Noch einmal importieren',
  },
  failed: { title: 'Von dieser Datei wurde nichts gespeichert.' },
  removed: { title: 'Diese Datei wurde entfernt. Gespeichert wurde nichts von ihr.' },
  problems: {
    unreadable:
      'So lässt sich die Datei nicht lesen. Sehen Sie die Meldung an, ändern Sie, wie gelesen wird, und prüfen Sie noch einmal.',
    disk_full:
      'Der Speicher der Plattform ist voll. Mehr wurde nicht gespeichert; sagen Sie es den Betreibern der Plattform.',
    busy: 'Die Plattform wurde angehalten oder war überlastet. Versuchen Sie es noch einmal.',
    defect: 'Das war ein Fehler der Plattform; ihr Protokoll sagt mehr.',
    refused: 'Die Datei wurde abgelehnt.',
  },
  errors: {
    missing: 'Diese Angabe fehlt.',
    enum: 'Das ist keines der Wörter, die hier stehen dürfen.',
    enumEventType:
      'Das ist keine Art von Ereignis: Schreiben Sie zum Beispiel „Wareneingang“, „Herstellung“ oder „Versand“.',
    enumDirection: 'Schreiben Sie „ein“ oder „aus“.',
    greater_than_equal: 'Diese Zahl ist zu klein.',
    less_than_equal: 'Diese Zahl ist zu groß.',
    string_too_short: 'Das ist zu kurz.',
    string_too_long: 'Das ist zu lang.',
    too_long: 'Das sind zu viele.',
    string_unicode:
      'Diese Zeichen sind nicht lesbar: Wählen Sie einen anderen Zeichensatz, oder speichern Sie die Datei als UTF-8.',
    decimal_max_digits: 'Eine Zahl hat höchstens 15 Ziffern.',
    float_parsing: 'Das ist keine Zahl.',
    number_ambiguous:
      'Tausender oder Dezimalstellen? Wählen Sie unter „Spalten ändern“ das Dezimalzeichen.',
    datetime_parsing: 'Das ist kein Datum mit einer Uhrzeit, die es gibt.',
    datetime_ambiguous:
      'Das können zwei Zeitpunkte sein: Wählen Sie die Reihenfolge von Tag und Monat, oder geben Sie die Zeitzone an.',
    spreadsheet_error: 'Das ist ein Fehler der Tabelle: Berichtigen Sie die Formel.',
    scientific_notation:
      'Die Tabelle hat Ziffern verloren: Geben Sie der Spalte das Format „Text“ und die Nummer noch einmal ein.',
    spreadsheet_number:
      'Die Tabelle hat aus dieser Nummer eine Zahl oder ein Datum gemacht: Geben Sie der Spalte das Format „Text“ und die Nummer noch einmal ein.',
    code_invalid: 'Eine Nummer hat keine unsichtbaren Zeichen und keine Leerzeichen am Rand.',
    group_mismatch: 'Die Zeilen eines Ereignisses sind hier verschieden.',
    too_many_cells: 'Die Zeile hat mehr Zellen als die Kopfzeile.',
    external_id_conflict: 'Diese Kennung gehört zu einem anderen Ereignis mit anderem Inhalt.',
    regrown:
      'Ein Ereignis mit dieser Art, Zeit und diesem Zeichen ist mit anderen Zeilen gespeichert: Korrigieren Sie jenes, oder geben Sie diesem eine Kennung.',
    duplicate_column: 'Zwei Spalten sind dasselbe Feld.',
    csv_invalid: 'Ab hier ist der Text kein CSV; fehlt ein Anführungszeichen?',
    xlsx_invalid:
      'Die Arbeitsmappe ist nicht lesbar: Speichern Sie sie als .xlsx ohne Kennwort, oder als CSV.',
    extra_forbidden: 'Die Spalten der Datei sind andere als die, die zugeordnet wurden.',
    value_error: 'Die Arbeitsmappe hat kein Blatt mit diesem Namen.',
    other: 'Das ist nicht gültig.',
  },
} satisfies Words['console']['imports'];
