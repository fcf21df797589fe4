// Spanish: all sentences of the pages.
import { advice } from './es/advice.ts';
import { check } from './es/check.ts';
import { console } from './es/console.ts';
import { errors } from './es/errors.ts';
import { explorer } from './es/explorer.ts';
import { forms } from './es/forms.ts';
import { frame } from './es/frame.ts';
import { labels } from './es/labels.ts';
import { log } from './es/log.ts';
import { lot } from './es/lot.ts';
import { product } from './es/product.ts';
import { recalls } from './es/recalls.ts';
import { sharedCode } from './es/shared-code.ts';
import { start } from './es/start.ts';
import { watching } from './es/watching.ts';
import type { Words } from './en.ts';

export const es = {
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
