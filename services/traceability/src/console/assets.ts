// What pages of the console load beside the files of the hub: their stylesheet.
import { DESK_STYLES, readStylesheet } from '@lothub/design/stylesheet';
import type { Asset } from '@lothub/kit/http/hashed-asset';
import { CONSOLE } from './paths.ts';

export const ASSETS_PREFIX = `${CONSOLE}/assets`;

export const STYLESHEET: Asset = readStylesheet(ASSETS_PREFIX, [
  ...DESK_STYLES,
  new URL('../web/css/languages.css', import.meta.url),
  new URL('../web/css/console.css', import.meta.url),
]);
