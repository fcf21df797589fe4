// The files that every page loads.
import { readAsset } from '@lothub/kit/http/hashed-asset';
import type { Asset } from '@lothub/kit/http/hashed-asset';

const PREFIX = '/assets';
const FOLDER = new URL('./', import.meta.url);

export const STYLESHEET = readAsset(PREFIX, { stem: 'stylesheet', extension: 'css' }, FOLDER);
export const ICON = readAsset(PREFIX, { stem: 'icon', extension: 'svg' }, FOLDER);

export const ASSETS: readonly Asset[] = [STYLESHEET, ICON];
