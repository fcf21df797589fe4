// Lets a run end in its own way when it is asked to stop.

import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * @param {() => void} stop called at each signal until the answer is disposed
 * @returns {Disposable & { readonly signal: number | undefined }} `signal` is the number of the first
 */
export function stopOnSignal(stop) {
  let first;
  const receive = (name) => {
    first ??= constants.signals[name];
    stop();
  };
  for (const name of SIGNALS) process.on(name, receive);
  return {
    get signal() {
      return first;
    },
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) process.off(name, receive);
    },
  };
}
