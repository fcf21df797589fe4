// The frame around every page, in Italian.
import type { Words } from '../en.ts';

export const frame = {
  skip: 'Vai al contenuto',
  pages: 'Pagine di questa piattaforma',
  lookUp: 'Cerca un lotto',
  recalls: 'Richiami',
  explorer: 'Explorer',
  guide: 'Guida',
  api: 'API',
  language: 'Lingua',
  runs: (hub, version) => `${hub} funziona con Lothub ${version}.`,
} satisfies Words['frame'];
