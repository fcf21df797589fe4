// What everything about invitations needs.
import type { Clock } from '@lothub/kit/clock';
import type { PlaceRegistry } from '../places/places.ts';
import type { PeopleStore } from '../store/store.ts';

export interface InvitationDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
  readonly places: PlaceRegistry;
}
