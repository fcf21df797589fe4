// The page at `/`, in German.
import type { Words } from '../en.ts';

export const start = {
  title: 'Woher ein Produkt kommt',
  lead: (hub) =>
    `Marken melden an ${hub}, was mit jeder Charge ihrer Produkte geschieht: angenommen, hergestellt, verpackt, versandt, verkauft. Jede Meldung wird zu einem Block einer öffentlichen Kette aus SHA-256-Hashes. Wer den Nachweis eines Blocks aufbewahrt, kann belegen, wenn der Betreiber den Block später ändert oder weglässt. Dass eine Meldung stimmt, dafür steht die Marke mit ihrem Wort.`,
  readOn: 'Weiterlesen',
  recalls: {
    label: 'Rückrufe',
    text: 'Welche Chargen gerade zurückgerufen werden, warum, und was zu tun ist.',
  },
  explorer: {
    label: 'Explorer der Kette',
    text: 'Jeder Block der Kette, mit seinem Text und dem Weg, ihn zu prüfen.',
  },
  guide: {
    label: 'Anleitung',
    text: 'Für alle, die Ereignisse senden oder die Kette prüfen: vom ersten Ereignis bis zum Nachweis von Hand.',
  },
  api: {
    label: 'API-Referenz',
    text: 'Alle Endpunkte, mit Beispielen und einem Befehl, der sie aufruft.',
  },
  trust: {
    label: 'Wem Sie vertrauen müssen',
    text: 'Was bewiesen ist und durch wen, was der Betreiber noch tun kann, und wie Sie es ohne uns prüfen.',
  },
  format: {
    label: 'Format der Kette',
    text: 'Was gehasht wird, auf das Byte genau: genug, um ein eigenes Prüfprogramm zu schreiben.',
  },
  json: {
    label: 'Der Explorer als JSON',
    text: 'Für Programme.',
    description: 'Beschreibung der API',
  },
  inEnglish: '(auf Englisch)',
} satisfies Words['start'];
