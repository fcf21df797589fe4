// The page at `/`, in Spanish.
import type { Words } from '../en.ts';

export const start = {
  title: 'De dónde viene un producto',
  lead: (hub) =>
    `Las marcas comunican a ${hub} lo que ocurre con cada lote de sus productos: recibido, producido, envasado, enviado, vendido. Cada comunicación se convierte en un bloque de una cadena pública de hashes SHA-256. Quien guarde la prueba de un bloque puede demostrar que el operador lo ha cambiado o eliminado después. Que una comunicación sea cierta es la palabra de la marca.`,
  readOn: 'Más información',
  recalls: {
    label: 'Retiradas',
    text: 'Qué lotes se están retirando, por qué y qué hay que hacer.',
  },
  explorer: {
    label: 'Explorador de la cadena',
    text: 'Todos los bloques de la cadena, con su texto y la forma de comprobarlos.',
  },
  guide: {
    label: 'Guía',
    text: 'Para quienes envían eventos o comprueban la cadena: desde el primer evento hasta su prueba a mano.',
  },
  api: {
    label: 'Referencia de la API',
    text: 'Todos los puntos de acceso, con ejemplos y una orden para llamarlos.',
  },
  trust: {
    label: 'En quién tiene que confiar',
    text: 'Qué está demostrado y por quién, qué puede hacer todavía el operador y cómo comprobarlo sin nosotros.',
  },
  format: {
    label: 'Formato de la cadena',
    text: 'De qué se calcula el hash, byte a byte: lo suficiente para escribir su propio verificador.',
  },
  json: {
    label: 'El explorador en JSON',
    text: 'Para programas.',
    description: 'Descripción de la API',
  },
  inEnglish: '(en inglés)',
} satisfies Words['start'];
