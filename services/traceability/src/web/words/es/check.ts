// "Check in this browser", in Spanish.
import type { Words } from '../en.ts';

export const check = {
  button: 'Comprobar en este navegador',
  checking: 'Comprobando…',
  heading: 'Comprobado en este navegador',
  proved: 'Demostrado',
  seen: (cosigned, members, at) =>
    `y visto por ${cosigned} de ${members} testigos independientes: existía a más tardar el ${at}.`,
  operatorOnly: 'solo con la palabra del operador: nadie más ha firmado.',
  refused: 'Rechazado:',
  good: 'Correcto.',
  wrong: 'Incorrecto.',
  meanings: {
    file: 'El archivo está bien formado y trata de lo mismo que esta página.',
    epochs: 'El operador ha firmado que el registro continúa con otro nombre, y qué se perdió.',
    log: 'El operador ha firmado el árbol al que llevan estos hashes.',
    witnesses:
      'Cada uno de estos testigos guarda el árbol más reciente que ha visto de este registro y no firma ninguno que lo contradiga.',
    blocks: 'Cada texto da su hash, y su hash lleva a la raíz firmada.',
    chain: 'Los bloques consecutivos citan el hash del otro.',
    kept: 'El árbol continúa el que se comprobó antes.',
    disclosures:
      'Los valores revelados coinciden con aquello a lo que los bloques se comprometieron.',
  },
  refusals: {
    malformed: 'Lo que ha enviado la plataforma no es una prueba, o trata de otra cosa.',
    unknown_log: 'La prueba es de un registro distinto del de esta plataforma.',
    bad_signature: 'Una firma no es la del operador.',
    no_quorum: 'Lo han confirmado demasiado pocos testigos.',
    not_in_tree: 'Lo que está almacenado ahora no es lo que se firmó: se cambió después.',
    other_height: 'El texto es el de otro bloque.',
    not_canonical: 'El texto no es el de un bloque: se cambió después.',
    rolled_back: 'El registro es más corto que uno que ya se había visto: se ha quitado algo.',
    split_view: 'El operador ha firmado dos registros que se contradicen.',
  },
  operatorsWord:
    'Nadie más ha firmado: es, pues, la palabra del operador, de la que deberá responder.',
  verifierSays: 'Mensaje del verificador (en inglés)',
  ownKey:
    'Esta página, su programa, la clave y los nombres de los testigos provienen de esta plataforma. Compare la clave con una que tenga de otra fuente, o compruebe el archivo con un programa propio:',
  tooOld:
    'Este navegador no puede comprobar firmas aquí: hacen falta https y una versión más reciente.',
  nothingChecked: (reason) => `No se ha comprobado nada: ${reason}.`,
  hubAnswered: (status, path) => `la plataforma respondió ${status} a ${path}`,
  notReached: 'no se pudo contactar con la plataforma',
  noProof:
    'La plataforma no entrega ninguna prueba de esto: puede que lo almacenado no sea lo que se firmó. Hasta entonces, no se fíe de esta página.',
  hubSays: 'Mensaje de la plataforma (en inglés)',
  otherWays: 'Los enlaces de esta página llevan al archivo y a otras formas de comprobarlo.',
} satisfies Words['check'];
