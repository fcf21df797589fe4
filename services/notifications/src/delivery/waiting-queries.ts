// How many deliveries wait in the outbox of this service.
import type { DatabaseReader } from '@lothub/kit/database';
import * as waiting from '@lothub/delivery/outbox/waiting-queries';
import type { WaitingDeliveries } from '@lothub/delivery/outbox/waiting-queries';
import { OUTBOX } from './outbox-queries.ts';

export { DELIVERIES_COUNTED_MAX } from '@lothub/delivery/outbox/waiting-queries';

export function waitingDeliveries(reader: DatabaseReader): Promise<readonly WaitingDeliveries[]> {
  return waiting.waitingDeliveries(OUTBOX, reader);
}
