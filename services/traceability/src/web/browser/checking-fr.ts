// "Check in this browser", in French.
import { getFormats } from '@lothub/languages';
import { check as words } from '../words/fr/check.ts';
import { checkIn } from './checking.ts';

export function check(at: HTMLElement): Promise<void> {
  return checkIn(at, { words, formats: getFormats('fr') });
}
