// What a run writes into the document of figures, and where.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatCommand, requirePlace, withFigures, type RunStamp } from './recorded-figures.ts';

const STAMP: RunStamp = {
  command: 'append',
  version: '1.2.3',
  commit: '0123abcd',
  date: '2026-11-24',
  machine: '2 cores and 24 GiB, load before it 0.1',
};
const DOCUMENT = `before

<!-- figures: append --engine postgres -->
other
<!-- end of figures -->
<!-- figures: append -->
old
<!-- end of figures -->
after
`;

/** Names whose tables are of a run with these options. */
const RECORDED_WITH = new Map([
  ['console', 'console --large'],
  ['notify', 'notify --only reach'],
  ['peers', 'peers --folder PEERS'],
]);

test('the figures of a run are in the place of its command, under what they were measured with', () => {
  const text = withFigures(DOCUMENT, STAMP, [
    { name: 'single POST', value: 1234.5, unit: '/s' },
    { name: 'share', value: 0.5, unit: '', target: { kind: 'at_least', value: 0.85 } },
    { name: 'p99', value: 2, unit: 'ms', target: { kind: 'at_most', value: 2.2 } },
  ]);

  const [before = '', after = ''] = text.split('<!-- figures: append -->');
  assert.match(before, /other/);
  assert.doesNotMatch(after, /old/);
  assert.match(
    after,
    /`npm run bench -- append`, version 1\.2\.3, commit 0123abcd, 2026-11-24, 2 cores/,
  );
  assert.match(after, /\| single POST \| 1235 \/s \| {2}\|/);
  assert.match(after, /\| share \| 0\.500 \| at least 0\.85 \(not reached\) \|/);
  assert.match(after, /\| p99 \| 2\.00 ms \| at most 2\.2 \|/);
  assert.match(after, /<!-- end of figures -->\nafter\n$/);
});

test('the output of a command without a place in the document says what to write there', () => {
  assert.throws(
    () => withFigures(DOCUMENT, { ...STAMP, command: 'verify' }, []),
    /<!-- figures: verify --> and <!-- end of figures -->/,
  );
});

test('the document has a place for each benchmark, and for the runs that promises are judged on', () => {
  const main = readFileSync(join(import.meta.dirname, '..', 'main.ts'), 'utf8');
  const names = [...main.matchAll(/^ {2}(?:'([a-z-]+)'|([a-z]+)): bench[A-Z]\w+,$/gm)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  const judged = ['proofs --large', 'proofs --engine postgres', 'recall --engine postgres'];

  assert.ok(names.length >= 15);
  for (const command of [...names, ...judged]) {
    requirePlace(RECORDED_WITH.get(command) ?? command);
  }
});

test('the folder that somebody keeps peers in is in no document', () => {
  const command = formatCommand(['peers', '--folder', '../peers', '--rounds', '3']);

  assert.equal(command, 'peers --folder PEERS --rounds 3');
});
