// The page of a lot code that several brands use, in Spanish.
import type { Words } from '../en.ts';

export const sharedCode = {
  title: (code) => `Lote ${code}: ¿qué marca?`,
  lead: 'Varias marcas usan este número de lote. ¿De qué marca es su producto?',
  notices: 'Retiradas en curso con este número de lote',
  allNotices: 'Todas las retiradas con este número de lote',
  choose: 'Elija la marca de su producto',
  nothingSaid:
    'Nada de esta página dice que un producto no se haya modificado o sea seguro: elija primero su marca.',
  openRecall: 'retirada en curso',
  openRecalls: (count) => `${count} retiradas en curso`,
  firstBrands: (count) => `Estas son las primeras ${count} marcas que usan este número.`,
  lotCode: 'Número de lote',
  brandId: 'Marca, por su identificador en esta plataforma',
} satisfies Words['sharedCode'];
