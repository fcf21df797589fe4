// The console, the form for one event, in German.
import type { Words } from '../../en.ts';

export const record = {
  title: 'Ereignis erfassen',
  lead: 'Ein Ereignis, wie es geschieht: Art wählen, Chargen scannen, speichern.',
  typeTitle: 'Was ist geschehen?',
  otherType: 'Andere Art',
  when: 'Wann',
  whenHint: 'Leer gelassen ist es jetzt.',
  timeZone: 'Zeitzone',
  lines: 'Chargen',
  line: (line) => `Charge ${line}`,
  addLine: 'Charge hinzufügen',
  removeLine: 'Diese Charge entfernen',
  check: 'Nummern prüfen',
  store: 'Ereignis speichern',
  more: 'Mehr zu dieser Charge',
  moreOfEvent: 'Mehr',
  directions: { in: 'ein', out: 'aus' },
  lotHint: 'Scannen oder eingeben. GS1-Codes und Digital Links werden gelesen.',
  quantityHint: 'Zum Beispiel 12,5',
  stored: 'Das Ereignis ist gespeichert.',
  storedIn: (block) => `Block ${block}`,
  warned: 'Bitte ansehen:',
  idTaken:
    'Ein Ereignis mit dieser Kennung ist schon mit anderem Inhalt gespeichert. Öffnen Sie das Formular neu.',
  codes: {
    known: 'Diese Charge gibt es.',
    on_hold: 'Diese Charge ist gesperrt.',
    unknown: 'Diese Charge ist neu.',
    unknownGtin: (gtin) => `Kein Produkt der Marke hat die GTIN ${gtin}.`,
  },
  queue: {
    title: 'Unterwegs',
    waiting: 'wartet',
    sending: 'wird gesendet',
    sent: 'gespeichert',
    refused: 'abgelehnt',
    offline:
      'Keine Verbindung. Was Sie erfassen, wartet auf diesem Gerät und wird gesendet, sobald es wieder eine gibt.',
    ended:
      'Die Sitzung ist beendet. Was Sie erfassen, wartet auf diesem Gerät, bis Sie sich wieder anmelden.',
    logIn: 'Anmelden',
    otherPerson:
      'Das hat jemand anderes erfasst. Es wartet, bis diese Person sich auf diesem Gerät anmeldet.',
    correct: 'Berichtigen',
    discard: 'Verwerfen',
    discardAsk: 'Dieses Ereignis verwerfen? Es wurde nicht gespeichert.',
    count: 'Wartend: ',
    noPlace:
      'Dieses Gerät kann das Ereignis nicht aufbewahren. Speichern Sie es, solange es eine Verbindung gibt.',
  },
} satisfies Words['console']['record'];
