// Reads arguments of several commands: each is parsed once, and the message of a refusal says which
// values are right.
import { InvalidArgumentError } from 'commander';
import { TENANT_ID_RIGHT, isTenantId } from '@lothub/people/places/tenant-id';

/** @throws InvalidArgumentError */
export function parseTenantId(text: string): string {
  if (isTenantId(text)) return text;
  throw new InvalidArgumentError(TENANT_ID_RIGHT);
}

/** @throws InvalidArgumentError */
export function parseHeight(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('A height is a whole number from 0.');
}
