// What pages call the words of the closed lists, in Spanish.
import { FIELD_LABELS } from '../field-labels.ts';
import type { Words } from '../en.ts';

export const labels = {
  eventTypes: {
    RECEIVE: 'Recepción',
    PRODUCE: 'Producción',
    CONSUME: 'Uso en la producción',
    PACK: 'Envasado',
    TRANSFER: 'Traslado',
    SHIP: 'Envío',
    SELL: 'Venta',
    DISPOSE: 'Eliminación',
    CORRECTION: 'Corrección',
  },
  eventNotes: {
    RECEIVE: 'Entró mercancía, de un proveedor o devuelta por un cliente.',
    PRODUCE: 'Se fabricaron lotes nuevos.',
    CONSUME: 'La mercancía se usó para fabricar otra.',
    PACK: 'La mercancía se envasó en otras unidades.',
    TRANSFER: 'La mercancía fue de uno de sus lugares a otro.',
    SHIP: 'La mercancía salió hacia un cliente.',
    SELL: 'La mercancía se vendió.',
    DISPOSE: 'La mercancía se destruyó o se tiró.',
    CORRECTION: 'Se corrigió lo que estaba registrado.',
  },
  genesis: 'Comienzo de la cadena',
  decisionTypes: {
    brand: 'Decisión: información para los consumidores',
    drill: 'Decisión: simulacro de retirada',
    erasure: 'Decisión: borrado de datos confidenciales',
    hold: 'Decisión: bloqueo o liberación',
    recall: 'Decisión: paso de una retirada',
    response: 'Decisión: respuesta a una notificación',
  },
  lotStatuses: {
    active: 'en circulación',
    depleted: 'agotado',
    disposed: 'eliminado',
    recalled: 'retirado',
  },
  holdStatuses: {
    released: 'no bloqueado',
    on_hold: 'bloqueado, no debe usarse hasta que se libere',
  },
  caseStatuses: {
    investigation: 'en investigación',
    notification: 'se está avisando a los afectados',
    containment: 'en contención',
    closed: 'cerrada',
    cancelled: 'anulada',
  },
  severities: {
    class_i: 'Clase I: puede causar daños graves o la muerte',
    class_ii: 'Clase II: puede causar daños pasajeros',
    class_iii: 'Clase III: no es probable que cause daños',
    market_withdrawal: 'Retirada del mercado: no es probable que cause daños',
    unclassified: 'Aún sin clasificar',
  },
  channelClasses: {
    retail: 'tiendas',
    online: 'tiendas en línea',
    wholesale: 'comercio mayorista',
    food_service: 'restaurantes y catering',
    direct: 'venta directa',
    export: 'exportación',
    other: 'otros canales',
  },
  statedStatuses: { accepted: 'ocurrió', voided: 'no ocurrió' },
  fields: FIELD_LABELS.es,
  fieldOfLine: (field, line) => `${field}, línea ${line}`,
  block: (height) => `Bloque ${height}`,
} satisfies Words['labels'];
