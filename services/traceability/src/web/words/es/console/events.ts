// The console, events and their corrections, in Spanish.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const events = {
  title: 'Eventos',
  statuses: {
    corrected: 'Corregido',
    voided: 'No ocurrió',
  },
  directions: {
    in: 'entra: recibido o usado',
    out: 'sale: elaborado, expedido o vendido',
  },
  noValue: 'ninguno',
  numbered: (id: string) => `Evento ${id}`,
  correct: 'Corregir',
  facts: 'El evento',
  externalId: 'identificador externo',
  recorded: 'registrado',
  recordedAs: 'registrado como',
  breach: (lots: Html) => html`Retenido cuando se registró: ${lots}.`,
  postedBy: (actors: Html) => html`Registrado por ${actors}.`,
  poster: 'enviado por',
  warned: 'Conviene revisar, al registrarlo:',
  lines: (count: string) => `Líneas (${count})`,
  line: 'Línea',
  noLines: 'No existe esa línea.',
  corrections: 'Correcciones',
  proof: 'Prueba',
  correctTitle: 'Corregir un evento',
  correctLead: 'Lo registrado queda. La corrección se registra al lado y cuenta desde entonces.',
  lineNumbered: (line: string) => `Línea ${line}`,
  otherLines:
    'Las demás líneas están en otras páginas: una corrección es de las líneas de una página.',
  instantHint: 'En UTC, como 2026-03-02T06:15:00Z, o con otro desfase',
  reason: 'Motivo',
  reasonHint: 'Todos pueden leerlo: no escriba nombres de clientes.',
  preview: 'Ver qué cambia',
  voidTitle: 'No ocurrió en absoluto',
  voidLead:
    'El evento ya no mueve ni enlaza nada. No se puede deshacer: registre el evento de nuevo si al final ocurrió.',
  voidedAlready: 'Este evento no ocurrió, según una corrección. No se puede corregir más.',
  toEvent: 'Al evento',
  nothingChanged: 'Todavía no ha cambiado nada: cambie primero un valor.',
  raced:
    'No se hizo nada: otra persona corrigió este evento mientras tanto. Se muestra lo que cuenta ahora; mírelo de nuevo.',
  racedTo: (value: string) => `Otra persona lo cambió; ahora es: ${value}`,
  previewTitle: 'Qué cambia la corrección',
  previewLead: 'Todavía no se ha hecho nada.',
  changes: 'Cambios',
  field: 'Campo',
  before: 'Antes',
  after: 'Después',
  lotsTitle: 'Qué queda de qué lotes',
  lot: 'Lote',
  product: 'Producto',
  noQuantities: 'No cambia ninguna cantidad.',
  notCounted: 'Afecta a lotes con muchísimos eventos: sus cantidades se suman al corregir.',
  moreLots: (count: string) => `Afecta a ${count} lotes más.`,
  sameQuantity: 'sin cambios',
  overIssued: 'Sale más de lo que entró',
  newLot: 'Lote nuevo',
  linksChange: 'También cambian enlaces entre lotes: genealogía y retiradas siguen de inmediato.',
  casesTitle: 'Casos de retirada abiertos',
  noCases: 'Ningún caso abierto abarca lotes de este evento.',
  casesSame:
    'Estos casos abarcan lotes de este evento. Sus cantidades cambian como arriba; los lotes que abarcan quedan.',
  casesWiden:
    'Estos casos abarcan lotes de este evento. En un segundo tras la corrección pueden entrar o salir lotes, que se retienen o se avisan según cada caso.',
  confirm: 'Corregir ahora',
  back: 'Cambiarlo de nuevo',
  done: {
    corrected: 'El evento está corregido.',
    voided: 'El evento ya no cuenta.',
  },
} satisfies Words['console']['events'];
