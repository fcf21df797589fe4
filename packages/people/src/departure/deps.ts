// What is needed to export or erase an account: all places that somebody may be in.
import type { Clock } from '@lothub/kit/clock';
import type { PlaceRegistry } from '../places/places.ts';
import type { PeopleStore } from '../store/store.ts';

export interface DepartureDeps {
  readonly store: PeopleStore;
  readonly clock: Clock;
  readonly places: PlaceRegistry;
}
