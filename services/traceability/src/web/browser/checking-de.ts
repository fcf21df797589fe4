// "Check in this browser", in German.
import { formatsOf } from '@lothub/languages';
import { check as words } from '../words/de/check.ts';
import { checkIn } from './checking.ts';

export function check(at: HTMLElement): Promise<void> {
  return checkIn(at, { words, formats: formatsOf('de') });
}
