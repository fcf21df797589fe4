// The console, the pages of operators, in Spanish.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const operator = {
  title: 'Estado de la plataforma',
  lead: 'Qué va mal y qué hacer; después, cómo va todo.',
  needs: 'Requiere atención ahora',
  fine: 'Todo en orden',
  fineAdvice: 'La cadena se verifica, el reloj es fiable y nadie va con retraso.',
  finding: (code, height) => `Bloque ${height}: ${code}`,
  clock: 'Un reloj no es fiable: no se escribe nada',
  clockDo:
    'Ponga en hora el reloj de la máquina; se sigue escribiendo sin más. Si el reloj está bien, acéptelo.',
  sharedKey: 'Varias marcas escriben con una clave',
  sharedKeyDo: 'Emita una clave para cada marca y revoque esta, o acéptela.',
  behind: 'Los testigos van con retraso',
  behindDo: 'Mire qué respondió cada uno por última vez y si se puede llegar a ellos.',
  stamps: 'Fallan los sellos de tiempo',
  stampsDo: 'Mire si se puede llegar al servicio (TSA_URL); la plataforma vuelve a preguntar sola.',
  still: 'El verificador no avanza',
  stillDo: 'Desde hace minutos no ha comprobado nada. Mire los mensajes del servicio.',
  building: 'El registro público se está construyendo',
  buildingDo: 'Nada que hacer: firma en cuanto alcance a la cadena.',
  guide: 'Más en la guía de operación, docs/operating.md.',
  verifierTitle: 'La cadena y su verificador',
  height: 'Altura',
  recentBlocks: 'Bloques en 24 horas',
  through: 'Comprobado hasta',
  checkedAt: 'Comprobado el',
  round: 'Una vuelta dura',
  otherProcess: 'verifica otro proceso, o la primera vuelta sigue',
  firstBad: 'Primer bloque erróneo',
  notYet: 'La primera comprobación aún no ha terminado',
  logTitle: 'El registro público',
  logState: 'Estado',
  origin: 'Origen',
  signed: 'Bloques firmados',
  signedAt: 'Último bloque firmado',
  never: 'todavía no',
  witnessTitle: 'Testigos',
  noPolicy:
    'No hay política (WITNESS_POLICY_FILE): nadie de fuera confirma lo que firma esta plataforma.',
  quorum: 'Cofirmado por',
  quorumShare: (cosigned, counting) => `${cosigned} de ${counting}`,
  behindSince: 'Retraso',
  inStep: 'al día',
  witness: 'Testigo',
  runBy: 'Operado por',
  answer: 'Última respuesta',
  since: 'Desde',
  tree: 'Bloques cofirmados',
  own: 'del mismo operador: no cuenta',
  stampTitle: 'Sellos de tiempo',
  stampOff: 'No hay servicio (TSA_URL).',
  stampAt: 'El más reciente',
  stampSize: 'Bloques',
  failures: 'Intentos fallidos desde entonces',
  clockTitle: 'Relojes',
  clockFine: 'El reloj de cada máquina es fiable.',
  brandsTitle: 'Marcas',
  brandsLead: 'Cuánto registra cada una. No se muestra lo que una marca guarda para sí.',
  brand: 'Marca',
  recent: 'Eventos en 24 horas',
  events: 'Eventos',
  lastEvent: 'Último evento',
  noBrands: 'Ninguna marca ha registrado nada todavía.',
  refusedTitle: 'Claves rechazadas',
  refusedLead: 'Las más recientes, entre las últimas mil entradas de la auditoría.',
  refusedNone: 'No se rechazó ninguna clave.',
  when: 'Cuándo',
  client: 'Cliente',
  path: 'Ruta',
  reason: 'Motivo',
  times: 'Veces',
  key: 'Clave',
  seconds: (seconds) => `${seconds} s`,
  // What to do about a finding of the verifier.
  advice: {
    restore:
      'Un bloque guardado no es el que se selló, o falta. Averigüe quién cambió la base de datos y restaure la copia más reciente que se verifique.',
    restorePrivate:
      'Faltan valores privados o no encajan con su bloque. No se pueden rehacer a partir de los bloques: restaure una copia que se verifique.',
    program:
      'Un bloque no es nada que selle esta versión. ¿Es el programa más antiguo que el que lo escribió? Si no, comuníquelo y restaure.',
    report:
      'Lo que reveló una retirada confidencial no es lo que había sellado. Guarde una copia, diga públicamente de qué retirada se trata y comuníquelo.',
    rebuild:
      'Hay filas junto a la cadena que no son lo que dicen los bloques. Los bloques están bien: rehaga las filas a partir de ellos.',
    picture:
      'Una imagen falta o es otra. Pida a la marca que la envíe de nuevo o restaure una copia.',
    audit:
      'La auditoría no es la que se encadenó: alguien cambió la base de datos al margen de la plataforma. Reponga sus filas desde una copia y averigüe quién fue.',
    key: 'Una clave guardada no es lo que dice de ella la auditoría. Reponga la fila o bórrela, cambie la clave y dé por falso lo que llegó con ella.',
    supplier:
      'El vínculo de un proveedor no es lo que dice la auditoría. Reponga la fila o bórrela y avise a la marca.',
    follow:
      'A un caso abierto le faltaba lo que dan sus bloques: se adelantó hasta dónde se siguieron los casos. Un hub en marcha lo añade. Averigüe quién cambió la base de datos y después verifique.',
    decision:
      'Falta o difiere lo que dice que las decisiones antiguas están selladas. Averigüe quién cambió la base de datos y después reconstruya.',
    tip: 'El final de la cadena se cortó o se sustituyó. Si repuso una copia a propósito, acéptelo; si no, averigüe la causa antes de restaurar.',
    tipRecord:
      'La nota del final de la cadena falta o no se puede leer. Compare el final con el de su última copia y después acéptelo.',
    log: 'Los bloques no son los que firmó el registro, y ya no se firma nada. Reponga los bloques firmados o termine el registro.',
    logRecord:
      'La nota de lo firmado está dañada. Repóngala desde una copia, o asegúrese de que la cadena está entera, quítela y verifique.',
    unconfirmed:
      'Muy pocos testigos dicen lo que han visto. Arregle lo que los aparta; si la base de datos contiene todo lo firmado, acéptelo.',
    witnessAhead:
      'Un testigo cofirmó un árbol más grande: se perdieron bloques o la plataforma funciona con una copia antigua. Mire el registro y pregunte al operador del testigo.',
    witnessRefuses:
      'Un testigo dice que el árbol más reciente no sigue al suyo. Compare con su operador qué árbol cofirmó.',
    storage:
      'La base de datos está dañada, casi siempre por su disco. Pare el servicio, examine el disco y restaure en otro.',
    unknown:
      'Esta versión no conoce el hallazgo. Búsquelo en la guía de operación de la versión que lo encontró.',
  },
  hubKeys: {
    title: 'Claves de la plataforma',
    lead: 'Con una clave un programa escribe y lee; cada una sirve para una marca, para cualquier marca o para la administración de la plataforma.',
    opens: 'Abre',
    admin: 'la administración de la plataforma',
    anyBrand: 'cualquier marca',
    kinds: {
      admin: 'la administración de la plataforma',
      brand: 'una marca, para enviar eventos',
      any: 'cualquier marca, para enviar eventos',
    },
    brand: 'Marca',
    brandHint: 'El identificador de la marca, si la clave es para una.',
    makeLead:
      'Una clave que lee lo que una marca guarda para sí la crean los responsables de la marca. Una clave creada aquí para una marca figura entre sus claves y en su auditoría.',
    ended: 'Terminada',
    ofSettings: (name) =>
      html`Viene de la configuración: cambie también ${name}; si no, el próximo arranque la vuelve a
      hacer válida.`,
    noneFound: 'No existe tal clave.',
    full: 'Hay tantas claves como pueden ser válidas. Revoque primero una.',
  },
} satisfies Words['console']['operator'];
