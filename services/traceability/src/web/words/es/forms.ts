// Forms that several pages have, in Spanish.
import type { Words } from '../en.ts';

export const forms = {
  lotCode: 'Número de lote, tal como está impreso en el producto',
  showLot: 'Mostrar este lote',
} satisfies Words['forms'];
