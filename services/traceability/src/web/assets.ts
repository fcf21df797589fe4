// The files that every page loads. Each is served under an address that holds a hash of its
// content, so that a browser may keep it for ever and never shows an old one.
import { readFileSync } from 'node:fs';
import { sha256Hex } from '@lothub/kit/hash';

export interface Asset {
  /** Address on this server, with the hash of the content. */
  readonly path: string;
  readonly mediaType: string;
  readonly text: string;
}

/** A year, the longest that caches are asked to keep anything; the content of an address is fixed. */
export const ASSET_CACHE = 'public, max-age=31536000, immutable';

/** Hex digits of the hash in an address: 64 bits, no two versions of a file meet by chance. */
const HASH_DIGITS = 16;

function readAsset(stem: string, extension: string, mediaType: string): Asset {
  const text = readFileSync(new URL(`./${stem}.${extension}`, import.meta.url), 'utf8');
  const hash = sha256Hex(text).slice(0, HASH_DIGITS);
  return { path: `/assets/${stem}.${hash}.${extension}`, mediaType, text };
}

export const STYLESHEET = readAsset('stylesheet', 'css', 'text/css; charset=utf-8');
export const ICON = readAsset('icon', 'svg', 'image/svg+xml; charset=utf-8');

export const ASSETS: readonly Asset[] = [STYLESHEET, ICON];
