// Spanish: all sentences of the pages.
import { html } from '@lothub/kit/html';
import { check } from './es/check.ts';
import { console } from './es/console.ts';
import { explorer } from './es/explorer.ts';
import { labels } from './es/labels.ts';
import { lot } from './es/lot.ts';
import { recalls } from './es/recalls.ts';
import { watching } from './es/watching.ts';
import type { Words } from './en.ts';

export const es = {
  // What a recall notice asks consumers to do.
  advice: {
    what: {
      class_i:
        'No consuma ni utilice los productos afectados: pueden causar daños graves o la muerte.',
      class_ii: 'No consuma ni utilice los productos afectados: pueden causar daños pasajeros.',
      class_iii:
        'No consuma ni utilice los productos afectados, aunque no es probable que causen daños.',
      market_withdrawal:
        'Los productos afectados se están retirando del mercado; no es probable que causen daños.',
      unclassified: 'No consuma ni utilice los productos afectados.',
      notSettled: 'No consuma ni utilice los productos afectados hasta que se sepa si son seguros.',
    },
    giveBack: (brand) => html`Devuélvalos donde los compró o consulte a ${brand}.`,
    contact: (brand) => html`Cómo contactar con ${brand}:`,
  },
  check,
  console,
  // What a reader sees when a page cannot be shown.
  errors: {
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
  },
  explorer,
  // Forms that several pages have.
  forms: {
    lotCode: 'Número de lote, tal como está impreso en el producto',
    showLot: 'Mostrar este lote',
  },
  // The frame around every page.
  frame: {
    skip: 'Ir al contenido',
    pages: 'Páginas de esta plataforma',
    lookUp: 'Buscar un lote',
    recalls: 'Retiradas',
    explorer: 'Explorador',
    guide: 'Guía',
    api: 'API',
    language: 'Idioma',
    runs: (hub, version) => `${hub} funciona con Lothub ${version}.`,
  },
  labels,
  // What pages say of the public log.
  log: {
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
    timeStamped: (service, at) =>
      html`Sello de tiempo de ${service}: existía a más tardar el ${at}.`,
    timeStamp: 'Sello de tiempo',
    stamped: 'Lo que se selló',
    evidenceUnder: 'Archivo de pruebas correspondiente',
    proofUnder: 'Archivo de prueba correspondiente',
    off: 'Esta plataforma no lleva ningún registro público.',
    building: 'El registro público de esta plataforma se está creando.',
    unsigned: 'Esto es más reciente que lo que está firmado en el registro público.',
    held: 'El registro del operador no se puede confirmar por ahora.',
  },
  lot,
  // The page of a GTIN.
  product: {
    number: (gtin) => `GTIN ${gtin}`,
    chooseBrand: '¿Qué marca figura en su envase?',
    severalBrands:
      'Varias marcas declaran que este número es suyo. Nada en esta página indica que un producto esté intacto o sea seguro: elija primero la marca.',
    severalProducts: (brand) => ['', brand, ' da este número a varios productos:'],
    ofBrand: (brand) => ['Un producto de ', brand, '.'],
    whichLot: '¿Qué lote es?',
    whereLot:
      'El código de lote está impreso en el envase, a menudo junto a la fecha. Puede empezar por L o LOT.',
    lotUnknown: (lot) => ['Aquí no se conoce ningún lote ', lot, ' de este producto.'],
    nothingKnown: 'No se sabe nada de este número',
    nothingKnownAdvice:
      'Ninguna marca ha declarado en esta plataforma que este número sea de un producto suyo. Compruebe el número o busque el código de lote impreso en el envase.',
    recalls: 'Retiradas de este producto',
    otherBrands: (link) => ['Otras marcas usan el mismo código de lote: ', link],
    seeThem: 'verlas',
    more: 'Hay más productos con este número de los que nombra esta página.',
    notTheirs: 'Que este número sea de su producto es lo que declara cada marca.',
  },
  recalls,
  // The page of a lot code that several brands use.
  sharedCode: {
    title: (code) => `Lote ${code}: ¿qué marca?`,
    lead: 'Varias marcas usan este número de lote. ¿De qué marca es su producto?',
    notices: 'Retiradas en curso con este número de lote',
    allNotices: 'Todas las retiradas con este número de lote',
    choose: 'Elija la marca de su producto',
    nothingSaid:
      'Nada de esta página dice que un producto no se haya modificado o sea seguro: elija primero su marca.',
    openRecall: 'retirada en curso',
    openRecalls: (count) => `${count} retiradas en curso`,
    firstBrands: (count) => `Estas son las primeras ${count} marcas que usan este número.`,
    lotCode: 'Número de lote',
    brandId: 'Marca, por su identificador en esta plataforma',
  },
  // The page at `/`.
  start: {
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
  },
  watching,
} satisfies Words;
