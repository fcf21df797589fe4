// The console, recalls of suppliers, in Spanish.
import type { Words } from '../../en.ts';

export const inbound = {
  title: 'Retiradas de proveedores',
  lead: 'Retiradas publicadas de marcas a las que están vinculados sus proveedores, en cuanto llegan a sus lotes.',
  show: 'Mostrar',
  states: { open: 'Abiertas', all: 'También las terminadas' },
  none: 'Ninguna retirada de un proveedor vinculado llega a sus lotes.',
  noneHint:
    'Vincule sus proveedores con sus marcas en esta plataforma y sus retiradas aparecerán aquí por sí solas.',
  toSuppliers: 'Vincular proveedores',
  of: (brand) => ['Retirada de ', brand],
  since: (at) => ['Desde el ', at],
  ended: (at) => ['Terminada el ', at],
  notice: 'Aviso público',
  receivedTitle: 'Recibido por usted',
  code: 'Lote del proveedor',
  supplier: 'Proveedor',
  simulate: 'Simular',
  lotsTitle: 'Sus lotes a los que llega',
  noLots: 'No llega a ninguno de sus lotes.',
  atLeast: (count) => `${count} o más`,
  ownCases: (cases) => ['Sus casos abiertos sobre esto: ', cases],
  hold: 'Retener estos lotes',
  holdAdvice: (count) =>
    `Lotes que se retienen: ${count}, aquellos a los que llegue la retirada en ese momento. No se abre ningún caso ni se publica ningún aviso.`,
  holdNow: 'Retenerlos ahora',
  holdReason: 'Motivo',
  gone: 'Esta retirada ya no llega a ninguno de sus lotes. No se ha retenido nada.',
  older: 'Retiradas anteriores',
  done: { held: 'Todos los lotes a los que llega la retirada están retenidos.' },
} satisfies Words['console']['inbound'];
