// Arguments that several commands take: each is read once, and refused in words that say what is right.
import { InvalidArgumentError } from 'commander';
import { TENANT_ID_PATTERN } from '../http.ts';

const TENANT_ID = new RegExp(TENANT_ID_PATTERN);

/** @throws InvalidArgumentError */
export function tenantIdOf(text: string): string {
  if (TENANT_ID.test(text)) return text;
  throw new InvalidArgumentError(
    'A tenant id is 1 to 64 of A-Z a-z 0-9 . _ - and starts with a letter or digit.',
  );
}

/** @throws InvalidArgumentError */
export function heightOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A height is a whole number from 0.');
}
