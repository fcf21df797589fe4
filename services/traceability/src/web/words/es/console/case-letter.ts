// The text that is sent to whoever a recall case concerns, in Spanish.
import type { Words } from '../../en.ts';

export const letter = {
  subject: (title: string, caseNo: string) => `Retirada: ${title} (${caseNo})`,
  subjectOfCheck: (title: string, caseNo: string) => `Por favor, compruebe: ${title} (${caseNo})`,
  greeting: 'Estimados señores:',
  intro: {
    customer: (brand: string) =>
      `${brand} retira productos que se le entregaron o vendieron a usted.`,
    channel: (brand: string) => `${brand} retira productos que se vendieron a través de usted.`,
    supplier: (brand: string) => `${brand} retira productos que contienen lo que usted entregó.`,
    internal_qa: (brand: string) => `Una retirada de ${brand} afecta a los productos siguientes.`,
    regulator: (brand: string) => `${brand} le informa de la retirada de los productos siguientes.`,
    public: (brand: string) => `${brand} retira los productos siguientes.`,
  },
  request: {
    customer:
      'Le rogamos que no utilice ni venda más estos lotes, que los mantenga aparte y que avise a quienes los recibieron de usted. Responda a este mensaje: confirme que lo ha leído, cuánto le queda y qué ha sido del resto.',
    channel:
      'Le rogamos que no venda más estos lotes, que los mantenga aparte y que avise a quienes los recibieron de usted. Responda a este mensaje: confirme que lo ha leído, cuánto le queda y qué ha sido del resto.',
    supplier:
      'Le rogamos que compruebe qué puede ser la causa por su parte y a quién más afecta. Responda a este mensaje: confirme que lo ha leído e indique qué ha encontrado.',
    internal_qa: 'Le rogamos que asegure lo que quede en la casa y lo confirme.',
    regulator: 'El informe con todos los lotes y la lista de distribución está a su disposición.',
    public: 'El aviso público explica cómo devolver los productos.',
  },
  reason: (text: string) => `Motivo: ${text}`,
  lotsOfYours: 'Lotes que usted recibió:',
  lotsOfSupplier: 'Nuestros lotes en los que entraron sus entregas:',
  lotsOfCase: 'Lotes de esta retirada, con lo entregado o vendido de cada uno:',
  lots: 'Lotes:',
  more: (lots: string) => `y ${lots} lotes más; la lista completa está a su disposición`,
  inAll: (amounts: string) => `En total: ${amounts}`,
  contact: (text: string) => `Contacto: ${text}`,
  notice: (address: string) => `El aviso público: ${address}`,
  regards: 'Atentamente',
} satisfies Words['console']['cases']['letter'];
