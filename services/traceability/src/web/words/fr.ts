// French: all sentences of the pages.
import { advice } from './fr/advice.ts';
import { check } from './fr/check.ts';
import { console } from './fr/console.ts';
import { errors } from './fr/errors.ts';
import { explorer } from './fr/explorer.ts';
import { forms } from './fr/forms.ts';
import { frame } from './fr/frame.ts';
import { labels } from './fr/labels.ts';
import { log } from './fr/log.ts';
import { lot } from './fr/lot.ts';
import { product } from './fr/product.ts';
import { recalls } from './fr/recalls.ts';
import { sharedCode } from './fr/shared-code.ts';
import { start } from './fr/start.ts';
import { watching } from './fr/watching.ts';
import type { Words } from './en.ts';

export const fr = {
  advice,
  check,
  console,
  errors,
  explorer,
  forms,
  frame,
  labels,
  log,
  lot,
  product,
  recalls,
  sharedCode,
  start,
  watching,
} satisfies Words;
