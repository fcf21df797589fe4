// The frame around every page, in German.
import type { Words } from '../en.ts';

export const frame = {
  skip: 'Zum Inhalt springen',
  pages: 'Seiten dieser Plattform',
  lookUp: 'Charge suchen',
  recalls: 'Rückrufe',
  explorer: 'Explorer',
  guide: 'Anleitung',
  api: 'API',
  language: 'Sprache',
  runs: (hub, version) => `${hub} läuft mit Lothub ${version}.`,
} satisfies Words['frame'];
