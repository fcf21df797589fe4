// Draws a QR code or a GS1 DataMatrix, as SVG or PNG. The library that draws is loaded with the first symbol: it is
// large, and most processes never draw one.
import { present } from '@lothub/kit/present';
import type { RenderOptions } from 'bwip-js/node';

export const SYMBOLOGIES = ['qr', 'datamatrix'] as const;
export type Symbology = (typeof SYMBOLOGIES)[number];

export const IMAGE_FORMATS = ['svg', 'png'] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

/** Pixels of one module of a PNG, on each side. An even number: the library draws no odd ones. */
export const MODULE_PIXELS_MIN = 2;
export const MODULE_PIXELS_MAX = 32;
export const MODULE_PIXELS_DEFAULT = 8;

/** What a symbol holds: a text, or pairs of application identifier and value. */
export type Content =
  | { readonly symbology: 'qr'; readonly text: string }
  | { readonly symbology: 'datamatrix'; readonly elements: readonly (readonly [string, string])[] };

/** Light modules around a symbol: ISO/IEC 18004 requires 4, ISO/IEC 16022 requires 1. */
const QUIET_MODULES: Readonly<Record<Symbology, number>> = { qr: 4, datamatrix: 1 };
/** What the library calls a unit: half a module. */
const UNITS_PER_MODULE = 2;
/** Some 15 % of the code may be unreadable: the level that GS1 recommends for packages. */
const QR_CORRECTION = 'M';
/** Application identifiers whose values have a fixed length: no separator follows them. */
const FIXED_LENGTH = new Set(['01']);
const SEPARATOR = '^FNC1';
const SVG_FORM = /^<svg viewBox="0 0 (\d+) (\d+)"[^>]*>([^]*)<\/svg>\s*$/;

/** A symbol as shapes of SVG, in a view box of `UNITS_PER_MODULE` units for each module. */
export interface DrawnSymbol {
  /** Markup without the element around it: made by the library, without text of anybody. */
  readonly shapes: string;
  /** With the light ones around the symbol. */
  readonly widthModules: number;
  readonly heightModules: number;
}

export async function drawSymbol(content: Content): Promise<DrawnSymbol> {
  const { toSVG } = await import('bwip-js/node');
  const svg = toSVG({ ...buildOptions(content), scale: 1 });
  const [, width, height, shapes] = SVG_FORM.exec(svg) ?? [];
  return {
    shapes: present(shapes, 'the shapes of a symbol').trim(),
    widthModules: Number(width) / UNITS_PER_MODULE,
    heightModules: Number(height) / UNITS_PER_MODULE,
  };
}

export function formatViewBox({ widthModules, heightModules }: DrawnSymbol): string {
  return `0 0 ${widthModules * UNITS_PER_MODULE} ${heightModules * UNITS_PER_MODULE}`;
}

/** A file of its own, in its size on paper. */
export function svgFile(symbol: DrawnSymbol, moduleMm: number): string {
  const width = lengthMm(symbol.widthModules * moduleMm);
  const height = lengthMm(symbol.heightModules * moduleMm);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="${formatViewBox(symbol)}">${symbol.shapes}</svg>\n`
  );
}

/** A length as SVG and CSS write it. */
export function lengthMm(length: number): string {
  return `${Number(length.toFixed(3))}mm`;
}

export async function drawPng(content: Content, modulePixels: number): Promise<Uint8Array> {
  const { toBuffer } = await import('bwip-js/node');
  return await toBuffer({ ...buildOptions(content), scale: modulePixels / UNITS_PER_MODULE });
}

function buildOptions(content: Content): RenderOptions {
  const common = {
    padding: QUIET_MODULES[content.symbology] * UNITS_PER_MODULE,
    // Scanners cannot read a symbol on a dark page or in a transparent picture.
    backgroundcolor: 'FFFFFF',
    barcolor: '000000',
  };
  if (content.symbology === 'qr') {
    // The types of the library lack the options that only some symbologies have.
    const qr = { ...common, bcid: 'qrcode', text: content.text, eclevel: QR_CORRECTION };
    return qr;
  }
  return { ...common, bcid: 'datamatrix', text: elementString(content.elements), parsefnc: true };
}

/** FNC1 at the beginning makes a DataMatrix one of GS1; behind a value of any length it says where the next begins. */
function elementString(elements: readonly (readonly [string, string])[]): string {
  const texts = elements.map(([identifier, value], index) => {
    const isLast = index === elements.length - 1;
    return identifier + value + (isLast || FIXED_LENGTH.has(identifier) ? '' : SEPARATOR);
  });
  return SEPARATOR + texts.join('');
}
