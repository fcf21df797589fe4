// Italian: all sentences of the pages.
import { advice } from './it/advice.ts';
import { check } from './it/check.ts';
import { console } from './it/console.ts';
import { errors } from './it/errors.ts';
import { explorer } from './it/explorer.ts';
import { forms } from './it/forms.ts';
import { frame } from './it/frame.ts';
import { labels } from './it/labels.ts';
import { log } from './it/log.ts';
import { lot } from './it/lot.ts';
import { product } from './it/product.ts';
import { recalls } from './it/recalls.ts';
import { sharedCode } from './it/shared-code.ts';
import { start } from './it/start.ts';
import { watching } from './it/watching.ts';
import type { Words } from './en.ts';

export const it = {
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
