// The page of a lot, in Spanish.
import { html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const lot = {
  title: (code) => `Lote ${code}`,
  verdicts: {
    recalled: 'Alto: este lote se ha retirado',
    examined: 'Alto: se está estudiando la retirada de este lote',
    withdrawn: 'Este lote se está retirando del mercado',
    onHold: 'Espere: este lote está bloqueado',
    unconfirmed: 'Este lote no se puede confirmar',
    clear: 'No consta nada contra este lote',
  },
  onHold: (brand) =>
    html`${brand} ha bloqueado este lote. No lo consuma ni lo utilice hasta que se libere.`,
  clear: (brand) =>
    html`No hay ninguna retirada en curso de este lote, y lo que ${brand} registró sobre él no se ha
    modificado.`,
  whetherRecalled: (brand) =>
    html`Aquí no se puede saber si este lote se ha retirado. Consulte a ${brand} antes de
    utilizarlo.`,
  whetherFurther: (brand) =>
    html`Aquí no se puede saber si hay más retiradas de este lote. Consulte a ${brand} antes de
    utilizarlo.`,
  why: 'Motivo:',
  furtherRecalls: 'Otras retiradas de este lote:',
  aboutRecall: 'Todo sobre esta retirada',
  aboutRecalls: 'Todo sobre estas retiradas',

  lotCode: 'Lote',
  product: 'Producto',
  brand: 'Marca',
  status: 'Estado',
  sharing: 'Otras marcas usan el mismo número de lote.',
  sharingRecalled: html`Otras marcas usan el mismo número de lote, y
    <strong class="bad">algunos de esos lotes se han retirado</strong>.`,
  chooseBrand: 'Elegir otra marca',

  story: 'De dónde viene',
  stages: {
    received: 'Recepción',
    made: 'Producción',
    packed: 'Envasado',
    moved: 'Transporte',
    sold: 'Venta',
    disposed: 'Eliminación',
  },
  ingredients: 'Recepción de ingredientes',
  places: (count) => `${count} lugares`,
  more: (count) => `${count} más`,
  utc: (date) => `${date} (UTC)`,
  allEvents: (count) => `Todos los eventos (${count})`,
  noStepCounts:
    'Ningún paso de este lote cuenta ahora. Lo que se registró figura, con las correcciones, en los bloques de abajo.',
  partOfStory: 'Estos pasos figuran en bloques verificados. Pueden faltar otros.',
  noStepVerifies: 'Ningún paso de este lote se puede leer en un bloque verificado.',
  event: (what, where) => html`${what}: ${where}`,
  through: (channels) => `, por ${channels}`,
  thisLot: (product) => html`Este lote, producto ${product}`,
  sourceLot: (lot, product) => html`Lote de origen ${lot}, producto ${product}`,
  corrected: (blocks) => html`Tal como la marca lo corrigió después: ${blocks}`,

  sold: 'Dónde se vendió',
  soldThrough: (channels) => `Este lote, o lo que se hizo con él: ${channels}.`,
  noSale: 'No se ha registrado ninguna venta por un canal conocido.',
  noSaleVerifies: 'Ninguna venta por un canal conocido se puede leer en un bloque verificado.',

  decisions: 'Decisiones sobre este lote',

  proof: 'Qué está demostrado',
  verified: (brand) =>
    html`<strong>Verificado.</strong> Lo que ${brand} registró sobre este lote no se ha modificado.
      Que sea cierto y completo, ningún ordenador puede demostrarlo.`,
  notVerified: html`<strong>Sin verificar.</strong> Lo que está almacenado no coincide con la
    cadena. Hasta que el operador lo compruebe, nada de esta página está demostrado.`,
  blocksNotVerified: (blocks) =>
    html`<strong>Sin verificar.</strong> Lo que está almacenado no coincide con la cadena. Bloques
      de este lote que no se han podido verificar: ${blocks}. Lo que decían no es fiable hasta que
      el operador lo compruebe.`,
  proofInDetail: 'La prueba en detalle',
  owner: 'Quién lo declara',
  keeper: 'Quién mantiene la cadena',
  chainState: 'Estado de toda la cadena',
  chainValid:
    'no se conoce ninguna diferencia entre lo almacenado y aquello de lo que se calculó el hash',
  chainInvalid: 'lo almacenado difiere de aquello de lo que se calculó el hash',
  newestBlock: 'Bloque más reciente',
  chainName: 'Nombre de la cadena',
  blocks: 'Bloques de este lote',
  blocksIntro:
    'Estos bloques contienen el lote, corrigen bloques así o dicen qué se decidió sobre él. El hash de cada uno se ha vuelto a calcular para esta página, y usted también puede hacerlo: la página de un bloque muestra su texto y cómo calcular su hash.',
  block: 'Bloque',
  hash: 'Hash (SHA-256)',
  truncated: 'Hay más sobre este lote de lo que muestra esta página: véase el explorador.',

  otherBrands: 'Otras marcas con este número de lote',
  otherBrandsIntro: '¿Su producto es de otra marca? Estas usan el mismo número:',
} satisfies Words['lot'];
