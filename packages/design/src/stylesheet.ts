// The stylesheet of a service, one file: the shared parts of this package, then the service's own rules, then
// those for paper, which have the last word.
import { readFileSync } from 'node:fs';
import { makeTextAsset, type Asset } from '@lothub/kit/http/hashed-asset';

const SHARED = ['tokens', 'ground', 'controls', 'parts', 'tables', 'api'];
const LAST = ['print'];

/** Rules of pages that people work in once they are logged in: for services that have some, before their own. */
export const DESK_STYLES: readonly URL[] = ['desk', 'desk-forms'].map(locateFile);

/**
 * @param prefix of the address, such as `/assets`
 * @param own the files of the service, in the order in which they are to hold
 */
export function readStylesheet(prefix: string, own: readonly URL[]): Asset {
  const files = [...SHARED.map(locateFile), ...own, ...LAST.map(locateFile)];
  const text = files.map((file) => withoutComments(readFileSync(file, 'utf8'))).join('\n');
  return makeTextAsset(prefix, { stem: 'stylesheet', extension: 'css' }, text);
}

function locateFile(stem: string): URL {
  return new URL(`css/${stem}.css`, import.meta.url);
}

/** Comments and the indent are for those who write the rules: a quarter of what a reader would load. */
function withoutComments(css: string): string {
  return css
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s+/gm, '')
    .trim();
}
