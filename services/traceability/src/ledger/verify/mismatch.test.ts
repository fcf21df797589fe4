// The list of what a verification can find: every code has its line for operators, and a list of
// findings keeps the one that counts.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Findings, firstBadHeight } from './mismatch.ts';

const OPERATING = new URL('../../../../../docs/operating.md', import.meta.url);
const CODES = new URL('./mismatch.ts', import.meta.url);
const CHAIN_CODES = new URL('../../../../../packages/chain/src/verify.ts', import.meta.url);

test('docs/operating.md says of every code what is wrong and what to do', async () => {
  const [operating, codes, chainCodes] = await Promise.all(
    [OPERATING, CODES, CHAIN_CODES].map((file) => readFile(file, 'utf8')),
  );
  const inCode = [codes, chainCodes].flatMap((text) =>
    (text?.match(/'[a-z]+(?:_[a-z]+)+'/g) ?? []).map((quoted) => quoted.slice(1, -1)),
  );

  const table = operating?.split('### When the chain does not verify')[1]?.split('###')[0] ?? '';

  assert.deepEqual(
    [...new Set(inCode)].filter((code) => !table.includes(`\`${code}\``)),
    [],
  );
});

test('of more findings than are kept the lowest height is among them', () => {
  const findings = new Findings();

  for (let height = 500; height >= 0; height -= 1) {
    findings.add({ height, code: 'event_row_differs', message: '' });
  }

  assert.equal(findings.count, 501);
  assert.equal(firstBadHeight(findings.list), 0);
});
