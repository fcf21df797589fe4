// The schemas of the public details of products and places.
import { Type } from '@lothub/kit/json-schema';
import { nullableText } from '../../http.ts';

export const PRODUCT_NAMES = {
  sku: Type.String(),
  names: Type.Record(Type.String(), Type.String(), { description: 'Names by language tag' }),
  gtin: nullableText('The brand’s claim; two brands may make the same'),
};

export const PRODUCT_PROFILE = {
  ...PRODUCT_NAMES,
  picture_url: nullableText('Of its picture; public'),
};

/** The members beside a name in one language. */
export const IN_LANGUAGES = {
  language: Type.Optional(
    Type.String({ description: 'Language tag of `name`; absent while it is not set' }),
  ),
  names: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: '`name` in other languages, by language tag; absent when in none',
    }),
  ),
};

/** Whose it is. */
export const PUBLIC_BRAND = Type.Object({
  id: Type.String(),
  name: Type.String(),
  ...IN_LANGUAGES,
});

/** The details of a location of events. */
export const PLACE_PROFILE = {
  name: Type.String(),
  ...IN_LANGUAGES,
  address: nullableText('Where it is'),
  gln: nullableText('The brand’s claim'),
  time_zone: nullableText('In which it keeps time, by its name at IANA'),
};
