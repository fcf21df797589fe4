// "Check in this browser", in Spanish.
import { getFormats } from '@lothub/languages';
import { check as words } from '../words/es/check.ts';
import { checkIn } from './checking.ts';

export function check(at: HTMLElement): Promise<void> {
  return checkIn(at, { words, formats: getFormats('es') });
}
