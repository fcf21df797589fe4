// The people of a process that serves: opened once for all of its services, and cleared of what has outlived its
// time.
import { RetentionLoop, sweep } from '@lothub/kit/retention/retention-loop';
import { openPeople, type People, type PeopleOptions } from './people.ts';
import { SWEEPS } from './store/sweeps.ts';

/** @throws DatabaseError when the database cannot be opened */
export async function openServedPeople(options: PeopleOptions): Promise<People> {
  await using opening = new AsyncDisposableStack();
  const people = opening.use(await openPeople(options));
  const { store, clock } = people;
  opening.use(
    new RetentionLoop({
      clock,
      turn: store.turn('retention'),
      sweeps: SWEEPS,
      retain: (pass) => sweep(pass, { store, clock }),
      onError: (error) => {
        options.log.warn({ err: error }, 'deleting what is too old of people failed');
      },
    }),
  );
  const opened = opening.move();
  const close = (): Promise<void> => opened.disposeAsync();
  return { ...people, close, [Symbol.asyncDispose]: close };
}
