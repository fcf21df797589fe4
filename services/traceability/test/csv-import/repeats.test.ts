// Whether a file has scattered groups is found out without keeping its keys in memory, and without
// ever missing one.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RepeatFinder } from '../../src/csv-import/repeats.ts';

/** Fewer than are held at once, more than that, and more than one part holds. */
const COUNTS = [100, 200_000, 1_200_000] as const;

describe('repeats', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lothub-test-'));
  });
  after(() => rm(folder, { recursive: true }));

  for (const count of COUNTS) {
    test(`${count} keys that all differ have no repeat`, () => {
      using finder = new RepeatFinder(join(folder, 'keys'));
      for (let index = 0; index < count; index += 1) finder.add(`id:wms-${index}`);

      const repeated = finder.end();

      assert.equal(repeated, false);
    });

    test(`the first of ${count} keys is found again as the last`, () => {
      using finder = new RepeatFinder(join(folder, 'keys'));
      for (let index = 0; index < count; index += 1) finder.add(`id:wms-${index}`);
      finder.add('id:wms-0');

      const repeated = finder.end();

      assert.equal(repeated, true);
    });
  }
});
