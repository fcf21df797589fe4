// The shapes of what the public is told of products and places.
import { Type } from '@lothub/kit/json-schema';
import { nullableText } from '../../http.ts';

export const PRODUCT_NAMES = {
  sku: Type.String(),
  names: Type.Record(Type.String(), Type.String(), { description: 'Names by language tag' }),
  gtin: nullableText('The brand’s claim; two brands may make the same'),
};

export const TOLD_PRODUCT = {
  ...PRODUCT_NAMES,
  picture_url: nullableText('Of its picture; public'),
};

/** Of a location of events. */
export const TOLD_PLACE = {
  name: Type.String(),
  address: nullableText('Where it is'),
  gln: nullableText('The brand’s claim'),
  time_zone: nullableText('In which it keeps time, by its name at IANA'),
};
