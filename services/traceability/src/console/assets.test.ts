// What pages of the console load is small: a telephone in a cold store waits for it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MODULES, consoleModule } from './assets.ts';

/** Promised of each page, before compression; no page loads more than one module. */
const SCRIPT_BYTES_MAX = 60_000;

for (const name of MODULES) {
  test(`the module ${name} is not larger than 60 kB, with all that it imports`, () => {
    const bytes = Buffer.byteLength(consoleModule(name).text);

    assert.ok(bytes > 0 && bytes <= SCRIPT_BYTES_MAX, `${bytes} bytes`);
  });
}
