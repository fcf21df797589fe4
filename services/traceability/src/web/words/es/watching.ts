// Notifications of recalls of a lot or a product: the part of public pages, its own pages, mails and messages to
// devices, in Spanish.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

type Part = string | Html;

export const watching: Words['watching'] = {
  title: 'Avisarme si se retira',
  intro: 'Recibe un aviso cuando una retirada empieza, cambia o termina. No se envía nada más.',
  what: 'Qué se sigue',
  thisLot: 'Este lote',
  thisProduct: 'Todos los lotes de este producto',
  email: 'Correo electrónico',
  byMail: 'Enviarme un enlace para confirmar',
  onDevice: 'Avisarme en este dispositivo',
  offDevice: 'No avisar más en este dispositivo',
  deviceAdded: 'Este dispositivo recibe avisos.',
  deviceEnded: 'Este dispositivo ya no recibe avisos.',
  deviceBlocked:
    'Su navegador bloquea las notificaciones de esta página. Permítalas primero en sus ajustes.',
  deviceFailed: 'No ha funcionado. Inténtelo de nuevo en un momento.',
  kept: 'Se guardan su dirección, su idioma y lo que sigue, hasta que usted le ponga fin.',
  keptOfMe: 'Ver o terminar lo que se guarda de mí',

  lotName: (code: string, brand: string) => `lote ${code} de ${brand}`,
  productName: (product: string, brand: string) => `${product} de ${brand}`,

  asked: {
    title: 'Mire su correo',
    text: 'Si esta dirección aún no lo sigue, va en camino un correo con un enlace. El enlace vale 48 horas. Sin confirmación no se guarda nada por más tiempo.',
  },
  listed: {
    title: 'Mire su correo',
    text: 'Si se guarda algo de esta dirección, va en camino un correo con un enlace. El enlace vale una hora y se envía cada seis horas como mucho.',
  },
  confirm: {
    title: 'Recibir avisos de retiradas',
    text: (name: Part) => ['Recibirá un aviso si hay una retirada: ', name, '.'],
    button: 'Sí, avisarme',
    done: 'Recibirá avisos',
    doneText:
      'Cada correo tiene un enlace que le pone fin. Después de dos años se le pregunta una vez si debe seguir.',
    recalledNow: 'Ahora mismo hay una retirada:',
    see: 'Lo que se sabe ahora',
  },
  end: {
    title: '¿Ponerle fin?',
    text: (name: Part) => ['Recibe un aviso si hay una retirada: ', name, '.'],
    button: 'No avisarme más',
    done: 'Ha terminado',
    doneText: 'No se guarda nada de ello.',
  },
  renew: {
    title: '¿Seguir dos años más?',
    text: (name: Part, date: Part) => [
      'Recibe un aviso si hay una retirada: ',
      name,
      '. Sin respuesta, esto termina el ',
      date,
      '.',
    ],
    button: 'Seguir',
    done: 'Sigue durante dos años',
  },
  list: {
    title: 'Lo que se guarda de usted',
    intro: (address: Part) => ['Esto es todo lo que se guarda de ', address, ':'],
    none: 'No se guarda nada de esta dirección.',
    until: (date: Part) => ['hasta el ', date],
    pending: 'aún sin confirmar',
    endOne: 'Terminar',
    endAll: 'Terminar todo',
  },
  ask: {
    title: 'Lo que se guarda de mí',
    text: 'Indique la dirección que recibe avisos de retiradas. Recibe un enlace a todo lo que se guarda de ella y puede ponerle fin allí. En un dispositivo se termina en la página del lote o del producto.',
    button: 'Enviarme el enlace',
  },
  gone: {
    title: 'Este enlace ya no lleva a ninguna parte',
    text: 'Se ha usado, su tiempo ha pasado, o ha terminado aquello a lo que pertenece. De lo terminado no se guarda nada.',
  },

  mails: {
    confirm: {
      subject: (name: string) => `Por favor, confirme: avisos de retiradas, ${name}`,
      text: 'Alguien, probablemente usted, ha pedido que esta dirección reciba avisos de retiradas. Abra el enlace y pulse el botón en 48 horas. Si no fue usted, no haga nada: no se envía nada y la dirección se borra.',
      button: 'Confirmar',
    },
    list: {
      subject: 'Lo que se guarda de usted',
      text: 'Alguien, probablemente usted, ha preguntado qué se guarda de esta dirección. El enlace vale una hora.',
      button: 'Ver o terminar',
    },
    renew: {
      subject: (name: string) => `¿Seguir recibiendo avisos de retiradas? ${name}`,
      text: (date: string) =>
        `Recibe avisos desde hace casi dos años. Sin respuesta, esto termina el ${date} y su dirección se borra.`,
      button: 'Seguir',
    },
    welcome: {
      subject: (name: string) => `Recibirá un aviso si hay una retirada: ${name}`,
      text: 'Así se verá.',
    },
    recall: {
      opened: (name: string) => `Retirada: ${name}`,
      widened: (name: string) => `Retirada: ${name}`,
      moved: (name: string) => `Retirada, nuevo estado: ${name}`,
      edited: (name: string) => `Retirada, nuevos datos: ${name}`,
      left: (name: string) => `Ya no forma parte de una retirada: ${name}`,
      closed: (name: string) => `Retirada terminada: ${name}`,
      cancelled: (name: string) => `Retirada anulada: ${name}`,
    },
    leftText: 'La marca ha comprobado que este lote no está afectado.',
    reason: (text: string) => `Motivo (en palabras de la marca): ${text}`,
    lots: (codes: string) => `Lotes: ${codes}`,
    giveBack: (brand: string) => `Devuelva el producto donde lo obtuvo o pregunte a ${brand}.`,
    read: 'El aviso completo',
    why: (name: string) => `Recibe esto porque pidió avisos de retiradas: ${name}.`,
    stop: 'No avisarme más',
    all: 'Lo que se guarda de mí',
  },
};
