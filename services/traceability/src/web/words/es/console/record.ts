// The console, the form for one event, in Spanish.
import type { Words } from '../../en.ts';

export const record = {
  title: 'Registrar un evento',
  lead: 'Un evento cuando ocurre: elija el tipo, escanee los lotes, guarde.',
  typeTitle: '¿Qué ha ocurrido?',
  otherType: 'Otro tipo',
  when: 'Cuándo',
  whenHint: 'Si queda vacío, es ahora.',
  timeZone: 'Zona horaria',
  lines: 'Lotes',
  line: (line) => `Lote ${line}`,
  addLine: 'Añadir un lote',
  removeLine: 'Quitar este lote',
  check: 'Comprobar los códigos',
  store: 'Guardar el evento',
  more: 'Más sobre este lote',
  moreOfEvent: 'Más',
  directions: { in: 'entrada', out: 'salida' },
  lotHint: 'Escanee o escriba. Se leen códigos GS1 y Digital Links.',
  quantityHint: 'Por ejemplo 12,5',
  stored: 'El evento está guardado.',
  storedIn: (block) => `Bloque ${block}`,
  warned: 'Conviene mirar:',
  idTaken:
    'Ya hay guardado un evento con este identificador y otro contenido. Abra de nuevo el formulario.',
  codes: {
    known: 'Este lote existe.',
    on_hold: 'Este lote está retenido.',
    unknown: 'Este lote es nuevo.',
    unknownGtin: (gtin) => `Ningún producto de la marca tiene el GTIN ${gtin}.`,
  },
  queue: {
    title: 'En camino',
    waiting: 'en espera',
    sending: 'enviando',
    sent: 'guardado',
    refused: 'rechazado',
    offline:
      'Sin conexión. Lo que registre espera en este dispositivo y se envía en cuanto la haya.',
    ended:
      'La sesión ha terminado. Lo que registre espera en este dispositivo hasta que vuelva a entrar.',
    logIn: 'Entrar',
    otherPerson:
      'Lo registró otra persona. Espera hasta que esa persona entre en este dispositivo.',
    correct: 'Corregir',
    discard: 'Descartar',
    discardAsk: '¿Descartar este evento? No se guardó.',
    count: 'En espera: ',
    noPlace: 'Este dispositivo no puede conservar el evento. Guárdelo mientras haya conexión.',
  },
} satisfies Words['console']['record'];
