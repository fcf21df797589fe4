// A file that pages load, under an address that holds a hash of its content: a browser may keep it for
// ever and never shows an old one.
import { readFileSync } from 'node:fs';
import { sha256Hex } from '../secrets/hash.ts';

export interface Asset {
  /** Address on this server, with the hash of the content. */
  readonly path: string;
  readonly mediaType: string;
  readonly text: string;
}

/** A year, the longest time that caches honour; the content of an address never changes. */
export const ASSET_CACHE = 'public, max-age=31536000, immutable';

/** Hex digits of the hash in an address: 64 bits, no two versions of a file meet by chance. */
const HASH_DIGITS = 16;

const MEDIA_TYPES = {
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const;

export type AssetExtension = keyof typeof MEDIA_TYPES;

/** @param prefix of the address, such as `/assets` */
export function makeTextAsset(
  prefix: string,
  name: { readonly stem: string; readonly extension: AssetExtension },
  text: string,
): Asset {
  return madeAsset(prefix, name, { source: text, make: () => text });
}

/**
 * An asset whose text is made when it is first read.
 * @param content.source what the text is made of: the address holds its hash
 */
export function madeAsset(
  prefix: string,
  name: { readonly stem: string; readonly extension: AssetExtension },
  content: { readonly source: string; readonly make: () => string },
): Asset {
  const hash = sha256Hex(content.source).slice(0, HASH_DIGITS);
  let made: string | undefined;
  return {
    path: `${prefix}/${name.stem}.${hash}.${name.extension}`,
    mediaType: MEDIA_TYPES[name.extension],
    get text() {
      return (made ??= content.make());
    },
  };
}

/** Reads `STEM.EXTENSION` of the folder. */
export function readAsset(
  prefix: string,
  name: { readonly stem: string; readonly extension: AssetExtension },
  folder: URL,
): Asset {
  const file = new URL(`./${name.stem}.${name.extension}`, folder);
  return makeTextAsset(prefix, name, readFileSync(file, 'utf8'));
}
