// Keeps the test runner of Node from following each promise of what it tests. It does so to find the test
// that an uncaught error comes from, which takes an eighth of the processors' time of a run; worker.js
// names such an error beside its file.

import asyncHooks from 'node:async_hooks';

/** To be called before `node:test` is loaded, which keeps the function that it finds. */
export function leavePromisesUntracked() {
  const { createHook } = asyncHooks;
  // Without `destroy`, which has each resource watched by the garbage collector, it forgets nothing that
  // began in a test, until its process ends: a number for each.
  asyncHooks.createHook = ({ init }) => createHook({ init, trackPromises: false });
}
