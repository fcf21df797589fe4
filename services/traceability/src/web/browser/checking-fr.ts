// "Check in this browser", in French.
import { formatsOf } from '@lothub/languages';
import { check as words } from '../words/fr/check.ts';
import { checkIn } from './checking.ts';

export function check(at: HTMLElement): Promise<void> {
  return checkIn(at, { words, formats: formatsOf('fr') });
}
