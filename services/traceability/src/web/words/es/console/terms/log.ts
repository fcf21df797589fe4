// Terms of the glossary: the public log, in Spanish.
import type { Words } from '../../../en.ts';

export const log = {
  words: {
    log: 'registro público',
    logCheckpoint: 'punto de control del registro',
    inclusionProof: 'prueba de inclusión',
    evidenceFile: 'archivo de prueba',
    outsideWitness: 'testigo externo',
    timeStamp: 'sello de tiempo',
    cosignature: 'cofirma',
    policy: 'política',
    held: 'suspendido',
  },
  sentences: {
    log: 'El árbol de Merkle sobre los hash de todos los bloques, que su operador firma.',
    logCheckpoint:
      'Origen, tamaño y raíz de ese árbol, firmados por el registro y quizá por testigos. Nunca «checkpoint» a secas donde pueda entenderse la altura y el hash anotados.',
    inclusionProof: 'Los hash que llevan de la entrada de un bloque a la raíz.',
    evidenceFile:
      'Los bloques de un lote con sus pruebas de inclusión bajo un punto de control del registro.',
    outsideWitness:
      'Otra parte que vio un punto de control del registro, comprobó que solo había crecido y lo firmó también.',
    timeStamp:
      'La respuesta de un servicio de sellado de tiempo (RFC 3161) sobre un punto de control del registro: existía entonces a más tardar. Nunca una hora escrita por la plataforma.',
    cosignature: 'Lo que firma un testigo externo: una hora y un punto de control del registro.',
    policy:
      'En las firmas de quién confía un lector y cuántos testigos externos hacen falta: el quórum.',
    held: 'Del registro: no se firma nada hasta que un operador haya decidido, porque lo guardado podría contradecir lo firmado.',
  },
} satisfies Words['console']['help']['terms']['log'];
