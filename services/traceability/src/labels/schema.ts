// The queries of the endpoints that make labels.
import { Type } from '@lothub/kit/json-schema';
import { text } from '../http.ts';
import { PAPERS } from './sheet.ts';
import {
  IMAGE_FORMATS,
  MODULE_PIXELS_DEFAULT,
  MODULE_PIXELS_MAX,
  MODULE_PIXELS_MIN,
  SYMBOLOGIES,
} from './symbol.ts';

/** As long as SKUs of events may be. */
const SKU_MAX = 100;
/** GS1 General Specifications, application identifier 21. */
const SERIAL_MAX = 20;
/** Millimetres of one module: what GS1 recommends for retail, and what printers and readers manage at all. */
export const MODULE_MM_DEFAULT = 0.495;
const MODULE_MM_MIN = 0.2;
const MODULE_MM_MAX = 2;

export const COLUMNS_MAX = 10;
export const ROWS_MAX = 30;
const COLUMNS_DEFAULT = 2;
const ROWS_DEFAULT = 6;
/** Labels of one sheet. */
export const LABELS_MAX = 1_000;
/** Serial numbers of one sheet: each is a symbol of its own, which takes a fiftieth of a second. */
export const SERIALS_MAX = 200;

const COMMON = {
  symbology: Type.Optional(
    Type.Enum([...SYMBOLOGIES], {
      default: 'qr',
      description:
        '`qr`: a QR code with the GS1 Digital Link, or with the plain address of the lot when its product ' +
        'has no GTIN. `datamatrix`: a GS1 DataMatrix with GTIN, lot and serial number',
    }),
  ),
  sku: Type.Optional(
    text(SKU_MAX, 'Of a lot with several SKUs: whose GTIN the label has', 'RYE-750'),
  ),
  module_mm: Type.Optional(
    Type.Number({
      minimum: MODULE_MM_MIN,
      maximum: MODULE_MM_MAX,
      default: MODULE_MM_DEFAULT,
      description: 'Side of one module in millimetres; of an SVG and of a sheet',
    }),
  ),
};

export const LabelQuery = Type.Object({
  ...COMMON,
  format: Type.Optional(Type.Enum([...IMAGE_FORMATS], { default: 'svg' })),
  serial: Type.Optional(text(SERIAL_MAX, 'Serial number; needs a GTIN', 'A-0001')),
  module_px: Type.Optional(
    Type.Integer({
      minimum: MODULE_PIXELS_MIN,
      maximum: MODULE_PIXELS_MAX,
      multipleOf: 2,
      default: MODULE_PIXELS_DEFAULT,
      description: 'Side of one module in pixels, an even number; of a PNG',
    }),
  ),
});

const Serial = (description: string, example: string) =>
  Type.Optional(Type.String({ pattern: '^[0-9]{1,15}$', description, examples: [example] }));

export const SheetQuery = Type.Object({
  ...COMMON,
  paper: Type.Optional(Type.Enum([...PAPERS], { default: 'a4' })),
  columns: Type.Optional(
    Type.Integer({ minimum: 1, maximum: COLUMNS_MAX, default: COLUMNS_DEFAULT }),
  ),
  rows: Type.Optional(Type.Integer({ minimum: 1, maximum: ROWS_MAX, default: ROWS_DEFAULT })),
  copies: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LABELS_MAX,
      description:
        'Of each label; without it one of each serial number, and a page full without any',
    }),
  ),
  serial_from: Serial('First serial number, with the digits that all of them have', '0001'),
  serial_to: Serial('Last serial number', '0024'),
});

export { COLUMNS_DEFAULT, ROWS_DEFAULT };
