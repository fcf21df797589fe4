// What the routes of people need: the people of the process, and the store of this service.
import type { AccessOptions } from '../access/gate.ts';
import type { NotificationStore } from '../store/store.ts';

export interface EntranceDeps extends AccessOptions {
  readonly store: NotificationStore;
}
