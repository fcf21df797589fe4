// English: all sentences of the pages. The other languages have the same ones, by the type of these.
import { advice } from './en/advice.ts';
import { check } from './en/check.ts';
import { console } from './en/console.ts';
import { errors } from './en/errors.ts';
import { explorer } from './en/explorer.ts';
import { forms } from './en/forms.ts';
import { frame } from './en/frame.ts';
import { labels } from './en/labels.ts';
import { log } from './en/log.ts';
import { lot } from './en/lot.ts';
import { product } from './en/product.ts';
import { recalls } from './en/recalls.ts';
import { sharedCode } from './en/shared-code.ts';
import { start } from './en/start.ts';
import { watching } from './en/watching.ts';

export const en = {
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
};

export type Words = typeof en;
