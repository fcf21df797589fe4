// The frame around every page, in Spanish.
import type { Words } from '../en.ts';

export const frame = {
  skip: 'Ir al contenido',
  pages: 'Páginas de esta plataforma',
  lookUp: 'Buscar un lote',
  recalls: 'Retiradas',
  explorer: 'Explorador',
  guide: 'Guía',
  api: 'API',
  language: 'Idioma',
  runs: (hub, version) => `${hub} funciona con Lothub ${version}.`,
} satisfies Words['frame'];
