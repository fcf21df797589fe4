// The keys that this service's push messages are signed with.
import { newVapidKeys, type VapidKeys } from '@lothub/delivery/push/vapid-keys';
import { ensureServiceKey, type ServiceKeyDeps } from '../store/service-keys.ts';

/** Made at the first start. @throws DatabaseError as the store's `write` */
export async function ensureVapidKeys(deps: ServiceKeyDeps): Promise<VapidKeys> {
  const make = (): string => JSON.stringify(newVapidKeys());
  const stored: unknown = JSON.parse(await ensureServiceKey(deps, { name: 'vapid', make }));
  if (isVapidKeys(stored)) return stored;
  throw new Error('the keys of push messages are not what was stored: restore a backup');
}

function isVapidKeys(value: unknown): value is VapidKeys {
  return (
    typeof value === 'object' &&
    value !== null &&
    'publicKey' in value &&
    'privateKey' in value &&
    typeof value.publicKey === 'string' &&
    typeof value.privateKey === 'string'
  );
}
