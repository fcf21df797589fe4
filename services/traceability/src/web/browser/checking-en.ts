// "Check in this browser", in English.
import { getFormats } from '@lothub/languages';
import { check as words } from '../words/en/check.ts';
import { checkIn } from './checking.ts';

export function check(at: HTMLElement): Promise<void> {
  return checkIn(at, { words, formats: getFormats('en') });
}
