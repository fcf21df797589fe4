// How a tenant, and so a brand, is named.

export const TENANT_ID_PATTERN = '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$';
export const TENANT_ID_RIGHT =
  'A tenant id is 1 to 64 of A-Z a-z 0-9 . _ - and starts with a letter or digit.';

const TENANT_ID = new RegExp(TENANT_ID_PATTERN);

export function isTenantId(text: string): boolean {
  return TENANT_ID.test(text);
}
