// Makes the groups known as places that people are invited into, and lets in who accepted an invitation and
// was not let in because a process ended in between.
import type { Clock } from '@lothub/kit/clock';
import { ENTERING_MS_MAX, finishEntering } from '@lothub/people/invitations/enter';
import type { People } from '@lothub/people/people';
import type { FastifyBaseLogger } from 'fastify';
import { groupPlaces } from './group-places.ts';
import type { NotificationStore } from '../../store/store.ts';

export interface GroupPlacesOptions {
  readonly people: People;
  readonly store: NotificationStore;
  readonly clock: Clock;
  /** Other processes may serve the same people, and be about to let somebody in. */
  readonly isShared: boolean;
  readonly log: Pick<FastifyBaseLogger, 'error'>;
}

/** @returns ends it */
export async function openGroupPlaces(options: GroupPlacesOptions): Promise<AsyncDisposable> {
  const { people, store, clock, isShared, log } = options;
  const remove = people.places.add(groupPlaces({ store, clock }));
  const waitMs = isShared ? ENTERING_MS_MAX : 0;
  await finishEntering(people, { acceptedBefore: people.clock.nowMs() - waitMs });
  let looking = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      await finishEntering(people, { acceptedBefore: people.clock.nowMs() - ENTERING_MS_MAX });
    } catch (error) {
      log.error({ err: error }, 'letting in who accepted an invitation failed');
    }
  };
  // Once more, for what was accepted right before this start.
  const timer = setTimeout(() => {
    looking = look();
  }, 2 * ENTERING_MS_MAX).unref();
  return {
    [Symbol.asyncDispose]: async () => {
      clearTimeout(timer);
      await looking;
      remove();
    },
  };
}
