// The frame around every page, in French.
import type { Words } from '../en.ts';

export const frame = {
  skip: 'Aller au contenu',
  pages: 'Pages de cette plateforme',
  lookUp: 'Chercher un lot',
  recalls: 'Rappels',
  explorer: 'Explorateur',
  guide: 'Guide',
  api: 'API',
  language: 'Langue',
  runs: (hub, version) => `${hub} fonctionne avec Lothub ${version}.`,
} satisfies Words['frame'];
