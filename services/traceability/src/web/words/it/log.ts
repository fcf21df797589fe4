// What pages say of the public log, in Italian.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const log = {
  heading: 'Registro pubblico',
  entry: (height) => `Voce ${height} del registro pubblico di questa piattaforma.`,
  nobodyElse: 'Firmato solo dal gestore; nessun altro lo ha ancora confermato.',
  firstBlocks: (count, seen) => html`I primi ${count} blocchi: ${seen}`,
  tooFew: 'Sono meno di quanti ne richieda questa piattaforma.',
  seenBy: ({ cosigned, witnesses, names, at }) =>
    html`Visto da ${cosigned}
    ${cosigned === '1' ? 'testimone indipendente' : 'testimoni indipendenti'} su ${witnesses}
    (${names})${at === undefined ? null : html`, il ${at}`}.`,
  witness: (name, operator) =>
    operator === undefined
      ? `${name}: questa piattaforma non dice chi lo gestisce.`
      : `${name}: gestito da ${operator}.`,
  ownWitness: 'Si trova sotto il dominio di questa piattaforma e non conta.',
  notCounted: 'Questa piattaforma non lo conta.',
  signedOn: (at) => html`Ha firmato il ${at}.`,
  newestOfLot: (block) => html`Questo è il più recente di questo lotto: ${block}.`,
  evidenceFile: 'File delle prove',
  proofFile: 'File della prova',
  trust: 'Che cosa dimostra, e come verificarlo senza di noi',
  timeStamped: (service, at) =>
    html`Marca temporale di ${service}: esisteva al più tardi il ${at}.`,
  timeStamp: 'Marca temporale',
  stamped: 'Che cosa è stato marcato',
  evidenceUnder: 'File delle prove corrispondente',
  proofUnder: 'File della prova corrispondente',
  off: 'Questa piattaforma non tiene un registro pubblico.',
  building: 'Il registro pubblico di questa piattaforma è in costruzione.',
  unsigned: 'È più recente di ciò che è firmato nel registro pubblico.',
  held: 'Al momento il registro del gestore non può essere confermato.',
} satisfies Words['log'];
