// German: all sentences of the pages.
import { advice } from './de/advice.ts';
import { check } from './de/check.ts';
import { console } from './de/console.ts';
import { errors } from './de/errors.ts';
import { explorer } from './de/explorer.ts';
import { forms } from './de/forms.ts';
import { frame } from './de/frame.ts';
import { labels } from './de/labels.ts';
import { log } from './de/log.ts';
import { lot } from './de/lot.ts';
import { product } from './de/product.ts';
import { recalls } from './de/recalls.ts';
import { sharedCode } from './de/shared-code.ts';
import { start } from './de/start.ts';
import { watching } from './de/watching.ts';
import type { Words } from './en.ts';

export const de = {
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
