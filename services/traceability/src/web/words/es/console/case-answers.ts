// The console, working through the notifications of a recall case, in Spanish.
import type { Words } from '../../en.ts';

export const answers = {
  title: 'Notificaciones',
  lead: 'A quién afecta la retirada. Envíe el texto por sus propios medios, anote el envío y luego la respuesta.',
  notYet:
    'Los textos se envían en cuanto la retirada pase a aviso. Hasta entonces puede prepararlos.',
  csv: 'Todas las notificaciones (CSV)',
  audience: 'Destinada a',
  audiences: {
    customer: 'Cliente',
    channel: 'Canal de venta',
    supplier: 'Proveedor',
    internal_qa: 'Calidad interna',
    regulator: 'Autoridad',
    public: 'Público',
  },
  status: 'Estado',
  statuses: {
    pending: 'Todavía no',
    ready: 'Por enviar',
    sent: 'Sin respuesta',
    acknowledged: 'Respondida',
    resolved: 'Resuelta',
  },
  recipient: 'Destinatario',
  erased: 'borrado',
  lots: 'Lotes',
  amount: 'Cantidad',
  answer: 'Respuesta',
  none: 'Ninguna notificación coincide.',
  noneYet: 'La retirada no afecta todavía a nadie.',
  selected: 'Selección',
  pick: (recipient: string) => `Seleccionar ${recipient}`,
  markPicked: 'Anotar la selección como enviada',
  markAll: (count: string, isOne: boolean) =>
    isOne
      ? 'Anotar como enviada la que espera aquí'
      : `Anotar como enviadas las ${count} que esperan aquí`,
  pickOne: 'Seleccione al menos una que esté por enviar.',
  marked: (count: string, isOne: boolean) =>
    isOne
      ? 'Una notificación está anotada como enviada.'
      : `${count} notificaciones están anotadas como enviadas.`,
  stayed: (count: string, isOne: boolean) =>
    isOne
      ? 'Una quedó como estaba: otra persona ya la había tratado entretanto.'
      : `${count} quedaron como estaban: otra persona ya las había tratado entretanto.`,
  begin: 'Tratarlas una a una',
  next: 'Siguiente por enviar',
  nextSilent: 'Siguiente sin respuesta',
  all: 'Todas las notificaciones',
  text: 'Texto para enviar',
  textIn: (language: string) => `Texto en ${language}`,
  copyText: 'Copiar el texto',
  mail: (address: string) => `Escribir a ${address}`,
  tooLong: 'El texto es demasiado largo para un enlace: cópielo en el mensaje.',
  reached: 'Lo que recibió este destinatario',
  nothingReached: 'De estos lotes no consta nada vendido ni entregado a este destinatario.',
  firstLots: (shown: string, all: string) => `Los primeros ${shown} de ${all} lotes.`,
  erasedAdvice: 'Este cliente fue borrado: nadie sabe ya quién era.',
  sentAt: 'Enviada',
  acknowledgedAt: 'Respondida',
  resolvedAt: 'Resuelta',
  block: 'Bloque',
  markSent: 'Anotar como enviada',
  markSentNext: 'Anotar como enviada y mostrar la siguiente',
  answerTitle: 'Anotar la respuesta',
  nowIs: 'El destinatario ha',
  acknowledged: 'confirmado: lo sabe',
  resolved: 'resuelto: ya no queda nada pendiente',
  accounted: (unit: string) => `Cantidad justificada (${unit})`,
  accountedHint:
    'Lo que el destinatario aún tiene, ha devuelto o destruido. Se anota con la respuesta.',
  accountedText: (amounts: string) => `Justificado: ${amounts}.`,
  response: 'Qué se respondió (opcional)',
  responseHint: 'Solo para la marca; la cadena contiene un compromiso con ello.',
  save: 'Guardar la respuesta',
  saveNext: 'Guardar y mostrar la siguiente',
  changedMeanwhile: (status: string) =>
    `No se ha hecho nada: otra persona ha tratado esta notificación entretanto. Su estado es ahora: ${status}.`,
  pendingRefused:
    'No se ha hecho nada: la retirada no ha pasado a aviso, así que aún no hay nada que enviar.',
} satisfies Words['console']['cases']['answers'];
