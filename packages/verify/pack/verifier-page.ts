// verifier.html: the verifier as one file that needs no network, whether a hub serves it or a disk does.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { flatten } from '@lothub/kit/http/modules/flatten';
import { readModules } from './modules.ts';

const FOLDER = new URL('../page/', import.meta.url);

export interface VerifierPage {
  readonly html: string;
  /**
   * Allows the page its own script and style, by their hashes, and nothing else: no connection, no
   * image, no form. It is in the page too, for whoever opens it from a disk.
   */
  readonly policy: string;
}

/** @throws Error when a file of it is missing: it is part of the program */
export function verifierPage(): VerifierPage {
  const script = `'use strict';\n${flatten(readModules(new URL('main.ts', FOLDER).href))}`;
  const style = readPart('verifier.css');
  const policy = [
    "default-src 'none'",
    `script-src '${hashText(script)}'`,
    `style-src '${hashText(style)}'`,
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  if (script.includes('</script') || style.includes('</style')) {
    throw new Error('the verifier page holds the end of its own script or style');
  }
  const html = readPart('verifier.html')
    .replace('<!-- policy -->', () => policy)
    .replace(/<style>\s*\/\* style \*\/\s*<\/style>/, () => `<style>${style}</style>`)
    .replace(/<script>\s*\/\* script \*\/\s*<\/script>/, () => `<script>${script}</script>`);
  // A frame cannot be forbidden by a page itself.
  return { html, policy: `${policy}; frame-ancestors 'none'` };
}

function readPart(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

/** Content Security Policy Level 3, "Script: hashes". */
function hashText(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
