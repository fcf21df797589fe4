// What a reader sees when a page cannot be shown, in Spanish.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const errors = {
  notFound: {
    title: 'No se sabe nada de esto',
    advice:
      'Aquí no existe ese lote, esa retirada en curso o ese bloque. Compruebe cómo lo ha escrito: en los números de lote, las mayúsculas y las minúsculas cuentan.',
  },
  noPage: {
    title: 'No hay ninguna página en esta dirección',
    advice: 'Compruebe la dirección, o busque aquí el lote que figura en su envase.',
  },
  invalid: {
    title: 'Esta dirección no es válida',
    advice: 'Empiece de nuevo con el formulario de abajo.',
  },
  tooMany: {
    title: 'Demasiadas consultas',
    advice:
      'Esta plataforma solo responde a un número limitado de consultas por minuto. Espere un minuto y vuelva a intentarlo.',
  },
  otherwise: {
    title: 'Esta página no se puede mostrar ahora',
    advice: 'La plataforma no ha podido responder. Vuelva a intentarlo dentro de un minuto.',
  },
  didYouMean: (links) => html`¿Quería decir ${links}?`,
} satisfies Words['errors'];
