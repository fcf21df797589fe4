// The console, recalls of suppliers, in German.
import type { Words } from '../../en.ts';

export const inbound = {
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
} satisfies Words['console']['inbound'];
