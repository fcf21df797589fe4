// A store that does some things differently, for tests of what happens between two of its steps.
import type { NotificationStore } from '../src/store/store.ts';

/** Its methods are bound to the store: a class keeps its private fields only behind `this`. */
export function storeWith(
  store: NotificationStore,
  changes: Partial<NotificationStore>,
): NotificationStore {
  return {
    reader: store.reader,
    erasedBytes: store.erasedBytes,
    post: (post, waited) => store.post(post, waited),
    distribute: () => store.distribute(),
    write: (statements, options) => store.write(statements, options),
    change: (change) => store.change(change),
    onCommit: (listener) => store.onCommit(listener),
    tokenBucket: (options) => store.tokenBucket(options),
    isBurst: () => store.isBurst(),
    turn: (name) => store.turn(name),
    close: () => store.close(),
    [Symbol.asyncDispose]: () => store.close(),
    ...changes,
  };
}
