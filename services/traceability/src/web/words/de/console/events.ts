// The console, events and their corrections, in German.
import { html, type Html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const events = {
  title: 'Ereignisse',
  statuses: {
    corrected: 'Korrigiert',
    voided: 'Nicht geschehen',
  },
  directions: {
    in: 'ein: angenommen oder verwendet',
    out: 'aus: hergestellt, versandt oder verkauft',
  },
  noValue: 'keine Angabe',
  numbered: (id: string) => `Ereignis ${id}`,
  correct: 'Korrigieren',
  facts: 'Das Ereignis',
  externalId: 'fremde Kennung',
  recorded: 'erfasst',
  recordedAs: 'erfasst als',
  breach: (lots: Html) => html`Gesperrt, als dies erfasst wurde: ${lots}.`,
  postedBy: (actors: Html) => html`Erfasst durch ${actors}.`,
  poster: 'gesendet von',
  warned: 'Beim Erfassen fiel auf:',
  lines: (count: string) => `Positionen (${count})`,
  line: 'Position',
  noLines: 'Diese Position gibt es nicht.',
  corrections: 'Korrekturen',
  proof: 'Nachweis',
  correctTitle: 'Ereignis korrigieren',
  correctLead: 'Was erfasst wurde, bleibt. Die Korrektur wird daneben erfasst und gilt von da an.',
  lineNumbered: (line: string) => `Position ${line}`,
  otherLines:
    'Die anderen Positionen stehen auf weiteren Seiten: Eine Korrektur betrifft die Positionen einer Seite.',
  instantHint: 'In UTC, etwa 2026-03-02T06:15:00Z, oder mit einer anderen Zeitverschiebung',
  reason: 'Grund',
  reasonHint: 'Alle können ihn lesen: Bitte keine Kundennamen.',
  preview: 'Ansehen, was es ändert',
  voidTitle: 'Es ist gar nicht geschehen',
  voidLead:
    'Das Ereignis bewegt und verknüpft dann nichts mehr. Das lässt sich nicht rückgängig machen: Erfassen Sie das Ereignis neu, wenn es doch geschehen ist.',
  voidedAlready:
    'Dieses Ereignis ist laut einer Korrektur nicht geschehen. Es lässt sich nicht weiter korrigieren.',
  toEvent: 'Zum Ereignis',
  nothingChanged: 'Noch ist nichts geändert: Bitte ändern Sie zuerst einen Wert.',
  raced:
    'Nichts wurde getan: Jemand anders hat dieses Ereignis inzwischen korrigiert. Angezeigt wird, was jetzt gilt; bitte sehen Sie es sich noch einmal an.',
  racedTo: (value: string) => `Jemand anders hat dies geändert; jetzt gilt: ${value}`,
  previewTitle: 'Was die Korrektur ändert',
  previewLead: 'Noch ist nichts getan.',
  changes: 'Änderungen',
  field: 'Feld',
  before: 'Bisher',
  after: 'Danach',
  lotsTitle: 'Bestand welcher Chargen',
  lot: 'Charge',
  product: 'Produkt',
  noQuantities: 'Keine Menge ändert sich.',
  notCounted:
    'Betroffen sind Chargen mit sehr vielen Ereignissen: Ihre Mengen werden bei der Korrektur zusammengezählt.',
  moreLots: (count: string) => `${count} weitere Chargen sind betroffen.`,
  sameQuantity: 'unverändert',
  overIssued: 'Mehr geht hinaus, als hereinkam',
  newLot: 'Neue Charge',
  linksChange:
    'Auch Verknüpfungen zwischen Chargen ändern sich: Stammbaum und Rückrufe folgen sofort.',
  casesTitle: 'Offene Rückruffälle',
  noCases: 'Kein offener Fall umfasst Chargen dieses Ereignisses.',
  casesSame:
    'Diese Fälle umfassen Chargen dieses Ereignisses. Mengen darin ändern sich wie oben; die umfassten Chargen bleiben.',
  casesWiden:
    'Diese Fälle umfassen Chargen dieses Ereignisses. Binnen einer Sekunde nach der Korrektur können Chargen hinzukommen oder wegfallen; sie werden gesperrt oder gemeldet, wie es der Fall vorsieht.',
  confirm: 'Jetzt korrigieren',
  back: 'Noch einmal ändern',
  done: {
    corrected: 'Das Ereignis ist korrigiert.',
    voided: 'Das Ereignis zählt nicht mehr.',
  },
} satisfies Words['console']['events'];
