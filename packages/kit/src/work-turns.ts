// Turns of long work on the thread that serves requests: between two pieces of it the event loop serves
// others.
import { setImmediate } from 'node:timers/promises';

let last: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop, in which nobody else's piece of work is done: however many
 * long works there are, a request waits for one piece of one of them.
 */
export function nextWorkTurn(): Promise<void> {
  last = last.then(() => setImmediate());
  return last;
}
