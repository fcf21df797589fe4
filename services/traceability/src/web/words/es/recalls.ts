// Recall notices, their list and their pages, in Spanish.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

type Part = string | Html;

export const recalls = {
  title: 'Retiradas',
  newestFirst: 'Las más recientes primero',
  recall: 'Retirada',
  recallTitle: (caseNo: string) => `Retirada ${caseNo}`,
  search: 'Producto, marca, código de lote o GTIN',
  searchButton: 'Buscar retiradas',
  all: 'Todas las retiradas',
  older: 'Anteriores',
  newer: 'Más recientes',
  pages: 'Más retiradas',
  none: 'Ahora no hay ninguna retirada.',
  noneFound:
    'No se ha encontrado ninguna retirada. Compruebe la ortografía y consulte su lote: una retirada puede empezar en cualquier momento.',
  noneOlder: 'No hay retiradas anteriores.',
  cut: (count: string) => `La búsqueda abarcó las ${count} retiradas más recientes.`,
  kept: (days: string) =>
    `Las retiradas permanecen aquí ${days} días después de terminar, porque puede haber productos en uso. En esta plataforma no se registra cuánto dura un producto.`,
  reason: 'Motivo',
  brand: 'Marca',
  products: 'Productos',
  lots: 'Lotes',
  noLots: 'ninguno por ahora',
  more: (count: string) => `y ${count} más`,
  severity: 'Clase',
  status: 'Estado',
  case: 'Caso',
  since: (date: Part) => ['desde el ', date],
  changed: (date: Part) => ['último cambio el ', date],
  ended: (date: Part) => ['terminada el ', date],
  endedBadge: 'Terminada',
  cancelledBadge: 'Anulada',
  endedAdvice:
    'Esta retirada ha terminado: la marca ha hecho lo necesario. Si todavía tiene un producto así, el consejo sigue vigente.',
  cancelled: (date: Part) => ['La marca anuló esta retirada el ', date, '.'],
  brandsWords: 'en palabras de la marca',
  covered: (count: string, isOne: boolean) =>
    isOne
      ? 'Ahora afecta a un lote. Pueden añadirse otros: consulte el suyo.'
      : `Ahora afecta a ${count} lotes. Pueden añadirse otros: consulte el suyo.`,
  moreLots: 'Más lotes',
  decided: 'Qué se decidió',
  sealedSteps:
    'Cada paso está sellado en un bloque de la cadena, que nadie puede cambiar sin que se note. Todas las horas son UTC.',
  laterSteps: 'Pasos posteriores',
  furtherParts: (count: string) => `${count} ${count === '1' ? 'parte más' : 'partes más'}`,
  checkedBelow: (block: Part) => [
    'Abajo se comprueba ',
    block,
    ', el más reciente; la página de cada bloque comprueba el suyo.',
  ],
  feeds: 'Suscribirse a las retiradas',
  feedTitle: (hub: string) => `Retiradas en ${hub}`,
  feedAbout: 'Todas las retiradas, con cada cambio.',
} satisfies Words['recalls'];
