// What pages say of the public log, in Spanish.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const log = {
  heading: 'Registro público',
  entry: (height) => `Entrada ${height} del registro público de esta plataforma.`,
  nobodyElse: 'Firmado solo por el operador; nadie más lo ha confirmado todavía.',
  firstBlocks: (count, seen) => html`Los primeros ${count} bloques: ${seen}`,
  tooFew: 'Son menos de los que exige esta plataforma.',
  seenBy: ({ cosigned, witnesses, names, at }) =>
    html`Visto por ${cosigned} de ${witnesses}
    ${witnesses === '1' ? 'testigo independiente' : 'testigos independientes'}
    (${names})${at === undefined ? null : html`, el ${at}`}.`,
  witness: (name, operator) =>
    operator === undefined
      ? `${name}: esta plataforma no dice quién lo opera.`
      : `${name}: operado por ${operator}.`,
  ownWitness: 'Está bajo el dominio de esta plataforma y no cuenta.',
  notCounted: 'Esta plataforma no lo cuenta.',
  signedOn: (at) => html`Firmó el ${at}.`,
  newestOfLot: (block) => html`Este es el más reciente de este lote: ${block}.`,
  evidenceFile: 'Archivo de pruebas',
  proofFile: 'Archivo de prueba',
  trust: 'Qué demuestra esto y cómo comprobarlo sin nosotros',
  timeStamped: (service, at) => html`Sello de tiempo de ${service}: existía a más tardar el ${at}.`,
  timeStamp: 'Sello de tiempo',
  stamped: 'Lo que se selló',
  evidenceUnder: 'Archivo de pruebas correspondiente',
  proofUnder: 'Archivo de prueba correspondiente',
  off: 'Esta plataforma no lleva ningún registro público.',
  building: 'El registro público de esta plataforma se está creando.',
  unsigned: 'Esto es más reciente que lo que está firmado en el registro público.',
  held: 'El registro del operador no se puede confirmar por ahora.',
} satisfies Words['log'];
