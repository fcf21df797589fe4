// The shapes of what consumers read about a brand, its products and places.
import { TEXT_PATTERN } from '@lothub/kit/http/field-errors';
import { Type } from '@lothub/kit/json-schema';
import { LANGUAGES, type Language } from '@lothub/languages';
import type { Static } from 'typebox';
import { LimitQuery, nullableText, text } from '../http.ts';
import { LINE_FIELDS } from '../ledger/record/fields.ts';
import { TAG_CHARS_MAX } from '../lots/profiles/language-tag.ts';
import { IN_LANGUAGES, PLACE_PROFILE, PRODUCT_NAMES } from '../lots/profiles/schema.ts';
import { GLN_PATTERN, GTIN_PATTERN } from '../lots/profiles/gs1.ts';
import { LANGUAGES_MAX } from './names.ts';
import { PICTURE_BYTES_MAX, PICTURE_SIDE_MAX } from './picture/check.ts';

/** Characters of a name, of an address, of a website or a contact. */
const NAME_MAX = 200;
const ADDRESS_MAX = 500;
const CONTACT_MAX = 500;
/** Twice the longest name that IANA has. */
const TIME_ZONE_MAX = 64;
/** Products of a brand, and places: lists go through them by key, and each has a row of its own. */
export const PROFILES_MAX = 100_000;
const SHA256_PATTERN = '^[0-9a-f]{64}$';

const nullableInput = (schema: {
  readonly maxLength: number;
  readonly pattern?: string;
  readonly description?: string;
  readonly examples: readonly string[];
}) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    minLength: 1,
    pattern: TEXT_PATTERN,
    ...schema,
  });

const BLOCK = {
  block_height: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'The block that says so; null while none does',
  }),
  block_hash: nullableText('Of that block'),
};

const EXAMPLE_BLOCK = {
  block_height: 4712,
  block_hash: '0f1e2d3c4b5a69788796a5b4c3d2e1f00112233445566778899aabbccddeeff0',
};
const EXAMPLE_TIME = { updated_at: '2026-03-02T08:00:00.000Z' };
const UPDATED_AT = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  description: 'When it was changed last; null when it never was',
});

const IN_LANGUAGES_INPUT = {
  language: Type.Optional(
    nullableInput({
      maxLength: TAG_CHARS_MAX,
      description: 'Language tag (BCP 47) of `name`; pages mark it where a reader’s is another',
      examples: ['de'],
    }),
  ),
  names: Type.Optional(
    Type.Unsafe<Partial<Record<Language, string>> | null>({
      type: ['object', 'null'],
      additionalProperties: false,
      properties: Object.fromEntries(
        LANGUAGES.map((language) => [
          language,
          { type: 'string', minLength: 1, maxLength: NAME_MAX, pattern: TEXT_PATTERN },
        ]),
      ),
      description: '`name` in the other languages that pages are in',
      examples: [{ fr: 'Boulangerie du Vieux Moulin' }],
    }),
  ),
};

export const BrandInputSchema = Type.Object(
  {
    name: Type.Optional(nullableInput({ maxLength: NAME_MAX, examples: ['Old Mill Bakery'] })),
    website: Type.Optional(
      nullableInput({
        maxLength: CONTACT_MAX,
        pattern: '^https?://[^\\s\\0]+$',
        examples: ['https://bakery.example'],
      }),
    ),
    recall_contact: Type.Optional(
      nullableInput({ maxLength: CONTACT_MAX, examples: ['recall@bakery.example'] }),
    ),
    ...IN_LANGUAGES_INPUT,
  },
  {
    additionalProperties: false,
    title: 'BrandInput',
    examples: [{ name: 'Old Mill Bakery', website: 'https://bakery.example' }],
  },
);

export type BrandInput = Static<typeof BrandInputSchema>;

export const BrandSchema = Type.Object(
  {
    id: Type.String({ examples: ['bakery'] }),
    name: Type.String({ examples: ['Old Mill Bakery'] }),
    website: nullableText('Where consumers read more'),
    recall_contact: nullableText('Whom consumers ask about a recall'),
    ...IN_LANGUAGES,
    ...BLOCK,
  },
  { title: 'Brand' },
);
export type BrandAnswer = Static<typeof BrandSchema>;

const NAMES_EXAMPLE = { de: 'Roggenbrot 750 g', en: 'Rye bread 750 g' };

export const ProductInputSchema = Type.Object(
  {
    names: Type.Record(
      Type.String(),
      Type.String({ minLength: 1, maxLength: NAME_MAX, pattern: TEXT_PATTERN }),
      {
        description: `Names by language tag (BCP 47): 1 to ${LANGUAGES_MAX}`,
        examples: [NAMES_EXAMPLE],
      },
    ),
    gtin: Type.Optional(
      nullableInput({
        maxLength: 14,
        pattern: GTIN_PATTERN,
        description: '8, 12, 13 or 14 digits, the last one their check digit',
        examples: ['4006381333931'],
      }),
    ),
  },
  {
    additionalProperties: false,
    title: 'ProductInput',
    examples: [{ names: NAMES_EXAMPLE, gtin: '4006381333931' }],
  },
);
export type ProductInput = Static<typeof ProductInputSchema>;

const EXAMPLE_PICTURE_HASH = 'a5463728190817263544536271809f0e1d2c3b4a5968778695f4e1c2a3f6b0d7';
const EXAMPLE_PRODUCT = {
  sku: 'RYE-750',
  names: NAMES_EXAMPLE,
  gtin: '4006381333931',
  picture: {
    sha256: EXAMPLE_PICTURE_HASH,
    url: `https://trace.example.com/public/pictures/${EXAMPLE_PICTURE_HASH}`,
  },
  ...EXAMPLE_TIME,
  ...EXAMPLE_BLOCK,
};

const PictureSchema = Type.Object(
  {
    sha256: Type.String({ description: 'Of its bytes; the block of the product has it, too' }),
    url: Type.String({ description: 'Public' }),
  },
  { title: 'Picture' },
);

export const ProductSchema = Type.Object(
  {
    ...PRODUCT_NAMES,
    picture: Type.Union([PictureSchema, Type.Null()]),
    updated_at: UPDATED_AT,
    ...BLOCK,
  },
  { title: 'Product', examples: [EXAMPLE_PRODUCT] },
);
export type ProductAnswer = Static<typeof ProductSchema>;

export const PlaceInputSchema = Type.Object(
  {
    name: text(NAME_MAX, 'What consumers call the place', 'Bakery Brandt, Hall 2'),
    address: Type.Optional(
      nullableInput({ maxLength: ADDRESS_MAX, examples: ['Mill Lane 3, 24103 Kiel, Germany'] }),
    ),
    gln: Type.Optional(
      nullableInput({
        maxLength: 13,
        pattern: GLN_PATTERN,
        description: '13 digits, the last one their check digit',
        examples: ['4012345000009'],
      }),
    ),
    time_zone: Type.Optional(
      nullableInput({
        maxLength: TIME_ZONE_MAX,
        description:
          'In which the place keeps time, by its name at IANA: pages show times there in it',
        examples: ['Europe/Berlin'],
      }),
    ),
    ...IN_LANGUAGES_INPUT,
  },
  {
    additionalProperties: false,
    title: 'PlaceInput',
    examples: [{ name: 'Bakery Brandt, Hall 2', gln: '4012345000009', time_zone: 'Europe/Berlin' }],
  },
);
export type PlaceInput = Static<typeof PlaceInputSchema>;

const EXAMPLE_PLACE = {
  location: 'BAKERY-1',
  name: 'Bakery Brandt, Hall 2',
  address: 'Mill Lane 3, 24103 Kiel, Germany',
  gln: '4012345000009',
  time_zone: 'Europe/Berlin',
  ...EXAMPLE_TIME,
  ...EXAMPLE_BLOCK,
};

export const PlaceSchema = Type.Object(
  {
    location: Type.String({ description: 'As `location` of events' }),
    ...PLACE_PROFILE,
    updated_at: UPDATED_AT,
    ...BLOCK,
  },
  { title: 'Place', examples: [EXAMPLE_PLACE] },
);
export type PlaceAnswer = Static<typeof PlaceSchema>;

const PAGE = {
  total: Type.Integer({ description: 'On all pages' }),
  next: nullableText('Send it as `after` for the next page; null at the end'),
};

export const ProductListSchema = Type.Object(
  { products: Type.Array(ProductSchema), ...PAGE },
  { title: 'ProductList', examples: [{ products: [EXAMPLE_PRODUCT], total: 1, next: null }] },
);

export const PlaceListSchema = Type.Object(
  { places: Type.Array(PlaceSchema), ...PAGE },
  { title: 'PlaceList', examples: [{ places: [EXAMPLE_PLACE], total: 1, next: null }] },
);

/** Characters of a key in a path or a query, where reading is tolerant. */
const KEY_TEXT_MAX = 200;
export const SKU_MAX = LINE_FIELDS.product_sku.charsMax;

export const ProductParams = Type.Object({
  sku: text(KEY_TEXT_MAX, 'As `product_sku` of events; a slash in it is written %2F', 'RYE-750'),
});

export const PlaceParams = Type.Object({
  location: text(KEY_TEXT_MAX, 'As `location` of events; a slash in it is written %2F', 'BAKERY-1'),
});

export const PictureParams = Type.Object({
  sha256: Type.String({ pattern: SHA256_PATTERN, examples: [EXAMPLE_PICTURE_HASH] }),
});

export const ProfileListQuery = Type.Object({
  after: Type.Optional(text(KEY_TEXT_MAX, '`next` of the page before', 'RYE-750')),
  limit: LimitQuery,
});

export const RemovedSchema = Type.Object(
  {
    removed: Type.Literal(true),
    block_height: Type.Integer({ description: 'The block that says so' }),
    block_hash: Type.String(),
  },
  { title: 'Removed', examples: [{ removed: true, ...EXAMPLE_BLOCK }] },
);

export const PictureBodySchema = Type.String({
  format: 'binary',
  title: 'PictureFile',
  description:
    `The bytes of a PNG, JPEG or WebP file: at most ${PICTURE_BYTES_MAX}, each side at most ` +
    `${PICTURE_SIDE_MAX} pixels, not animated`,
});
