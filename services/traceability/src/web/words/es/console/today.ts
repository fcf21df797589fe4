// The console, what needs somebody now, in Spanish.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const today = {
  title: 'Hoy',
  role: (brand, role) => html`${brand} · ${role}`,
  needs: 'Requiere atención ahora',
  nothing: 'No hay nada pendiente ahora',
  nothingAdvice:
    'Ninguna retirada abierta espera respuesta, ningún lote está retenido y las comprobaciones no encontraron nada.',
  record: 'Registrar un evento',
  simulate: 'Simular una retirada',
  chainFaulty: 'La cadena no coincide con lo registrado',
  chainFaultyHint: (height) =>
    `El primer bloque que no coincide es el ${height}. Los eventos se siguen aceptando. El operador de la plataforma debe actuar ahora.`,
  clock: 'Ahora no se puede registrar nada',
  clockHint:
    'El reloj de la plataforma no es fiable. El operador de la plataforma debe actuar ahora.',
  logHeld: 'El registro público está suspendido',
  logHeldHint: 'Los bloques nuevos no se firman hasta que decida el operador de la plataforma.',
  witnessesBehind: 'Los testigos van con retraso',
  witnessesBehindHint: (minutes) =>
    `Desde hace ${minutes} minutos ningún testigo externo ha confirmado los bloques más recientes.`,
  notNotified: 'todavía no se ha avisado a nadie',
  toSend: (count) => `${count} por enviar`,
  unanswered: (count) => `${count} sin respuesta`,
  allAnswered: 'todas las notificaciones respondidas',
  allCases: 'Todas las retiradas abiertas',
  allCasesHint: 'Atienda sus notificaciones y cierre lo que esté hecho.',
  inbound: 'Retiradas de sus proveedores alcanzan a sus lotes',
  inboundHint: 'Mire a cuáles de sus lotes alcanzan y reténgalos.',
  breaches: 'Se movieron lotes retenidos',
  breachesHint: (days) => `En los últimos ${days} días, primero los más recientes.`,
  imports: 'Importaciones con errores',
  importsHint: (days) =>
    `En los últimos ${days} días fallaron archivos o quedaron filas fuera: corríjalas y envíelas de nuevo.`,
  onHold: 'Lotes retenidos',
  onHoldHint: 'Libérelos o decida qué hacer con ellos.',
  checking: 'Las comprobaciones están en marcha. Vuelva a mirar en un momento.',
  numbers: 'En cifras',
  events24h: 'Eventos en 24 horas',
  lastEvent: 'Último evento',
  lots: 'Lotes',
  recalled: 'Lotes retirados',
  score: 'Comprobaciones',
  outOf100: (score) => `${score} de 100`,
  lastDrill: 'Último simulacro',
  never: 'nunca',
  daysAgo: (days) => `hace ${days} días`,
  todayWord: 'hoy',
  trust: 'La cadena y sus testigos',
  verified: (height, at) => html`Todos los bloques hasta el ${height} comprobados el ${at}`,
  verifying: (height, tip) => `Comprobado hasta el bloque ${height} de ${tip}`,
  notVerified: 'La primera comprobación aún no ha terminado',
  log: {
    off: 'Sin registro público',
    building: 'El registro público se está construyendo',
    signing: 'Cada bloque está firmado en el registro público',
    held: 'El registro público está suspendido',
  },
  quorum: (cosigned, counting) => `Testigos: ${cosigned} de ${counting}`,
  noWitnesses: 'Sin testigos externos',
  explore: 'Ver la cadena',
  list: {
    looked: (count, total) =>
      `${count} de ${total} comprobados. Se comprueban los eventos y lotes más recientes.`,
    cut: (count) => `Se muestran los ${count} más recientes.`,
    at: (at) => html`Comprobado el ${at}.`,
    none: 'No se encontró nada de este tipo.',
    event: 'Evento',
    occurred: 'Ocurrió',
    reference: 'Referencia',
    lot: 'Lote',
    product: 'Producto',
    when: 'Cuándo',
    who: 'Quién',
  },
  checks: {
    provenance_complete: {
      title: 'Recepciones sin procedencia completa',
      advice: 'Corrija la recepción: proveedor, origen y código de lote del proveedor.',
    },
    lots_have_origin: {
      title: 'Lotes que no vienen de ninguna parte',
      advice: 'Registre la recepción o la producción de la que proceden.',
    },
    production_linked: {
      title: 'Producciones sin la otra parte',
      advice: 'Registre con la misma referencia lo que entró o lo que salió.',
    },
    lots_not_over_issued: {
      title: 'Lotes de los que salió más de lo que entró',
      advice:
        'Busque una unidad equivocada, una recepción sin registrar o un error al teclear, y corríjalo.',
    },
    yield_plausible: {
      title: 'Producciones con un rendimiento improbable',
      advice: 'Compare lo que entró con lo que salió y corrija la cantidad errónea.',
    },
    units_agree: {
      title: 'Lotes contados en dos unidades',
      advice:
        'Corrija las líneas para que un producto de un lote tenga una sola unidad: si no, nada se puede sumar.',
    },
    recorded_in_time: {
      title: 'Eventos registrados con más de un día de retraso',
      advice: 'Hasta entonces nadie podía rastrearlos. Averigüe dónde se quedan los registros.',
    },
    sales_name_customer: {
      title: 'Ventas sin cliente',
      advice: 'Corrija la venta: sin cliente no se puede avisar a nadie de una retirada.',
    },
    drilled_in_time: {
      title: 'Toca un simulacro de retirada',
      advice: 'Al menos una vez al año. Dura un minuto y deja un certificado.',
    },
    hold_breaches: {
      title: 'Lotes movidos estando retenidos',
      advice: 'Averigüe por qué y recupere lo que salió.',
    },
  },
  steps: {
    title: 'El camino a su primer simulacro',
    lead: 'Tres pasos, y una retirada ya no será una sorpresa.',
    done: 'Hecho',
    file: 'Importe su primer archivo',
    fileText:
      'Un archivo CSV o Excel con recepciones y producciones. Primero se comprueba; no se guarda nada hasta que usted lo diga.',
    fileDo: 'Importar un archivo',
    recordDo: 'O registrar un evento a mano',
    label: 'Imprima su primera etiqueta',
    labelText: 'El símbolo del producto lleva a los consumidores a la página de su lote.',
    labelDo: 'Hacer una etiqueta',
    labelWait: 'Una etiqueta necesita un lote: importe primero un archivo.',
    drill: 'Haga su primer simulacro',
    drillText:
      'Rastree un lote como en una retirada. La plataforma mide el tiempo y guarda un certificado; los consumidores no ven nada de ello.',
    drillDo: 'Empezar un simulacro',
    drillWait: 'Un simulacro necesita lotes: importe primero un archivo.',
    needsRole: (role) => `Para esto hace falta el rol ${role}.`,
  },
} satisfies Words['console']['today'];
