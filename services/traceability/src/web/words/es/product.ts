// The page of a GTIN, in Spanish.
import type { Html } from '@lothub/kit/html';
import type { Words } from '../en.ts';

export const product = {
  number: (gtin: string) => `GTIN ${gtin}`,
  chooseBrand: '¿Qué marca figura en su envase?',
  severalBrands:
    'Varias marcas declaran que este número es suyo. Nada en esta página indica que un producto esté intacto o sea seguro: elija primero la marca.',
  severalProducts: (brand: Html | string) => ['', brand, ' da este número a varios productos:'],
  ofBrand: (brand: Html | string) => ['Un producto de ', brand, '.'],
  whichLot: '¿Qué lote es?',
  whereLot:
    'El código de lote está impreso en el envase, a menudo junto a la fecha. Puede empezar por L o LOT.',
  lotUnknown: (lot: Html | string) => ['Aquí no se conoce ningún lote ', lot, ' de este producto.'],
  nothingKnown: 'No se sabe nada de este número',
  nothingKnownAdvice:
    'Ninguna marca ha declarado en esta plataforma que este número sea de un producto suyo. Compruebe el número o busque el código de lote impreso en el envase.',
  recalls: 'Retiradas de este producto',
  otherBrands: (link: Html | string) => ['Otras marcas usan el mismo código de lote: ', link],
  seeThem: 'verlas',
  more: 'Hay más productos con este número de los que nombra esta página.',
  notTheirs: 'Que este número sea de su producto es lo que declara cada marca.',
} satisfies Words['product'];
