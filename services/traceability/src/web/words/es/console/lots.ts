// The console, the list of lots, in Spanish.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const lots = {
  title: 'Lotes',
  statuses: {
    active: 'Activo',
    depleted: 'Agotado',
    disposed: 'Eliminado',
    recalled: 'Retirado',
  },
  holdStatuses: { released: 'No retenido', on_hold: 'Retenido' },
  lead: 'Lo recibido, elaborado y envasado, primero lo más reciente.',
  search: 'Lote, SKU, producto, lote del proveedor o referencia',
  status: 'Estado',
  hold: 'Retención',
  columns: 'Columnas',
  lot: 'Lote',
  product: 'Producto',
  state: 'Situación',
  csv: 'CSV',
  count: (count: string, lots: number) => (lots === 1 ? `${count} lote` : `${count} lotes`),
  more: (count: number) => `+${count} más`,
  byName: (names: Html) => html`también de ${names}`,
  none: 'Ningún lote coincide.',
  noneAdvice: 'Pruebe con una parte más corta del código o quite los filtros.',
  empty: 'Todavía no hay ningún lote. Los lotes aparecen con el primer evento que los nombra.',
  importFirst: 'Importar un archivo',
  recordFirst: 'Registrar un evento',
  overIssued: 'Salió más de lo que entró',
} satisfies Words['console']['lots'];
