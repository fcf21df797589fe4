// How an upgrade is shown on a terminal: a sentence at once, and a bar as soon as it is loaded.
import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { showUpgrade } from './show-upgrade.ts';
import type { Terminal } from './terminal.ts';

const LIMIT = { timeout: 10_000 };

test('an upgrade is a sentence at once, and then a bar', LIMIT, async () => {
  const { terminal, written } = newTerminal();
  using shown = showUpgrade({ terminal, format: 'text' });

  shown.update({ step: 'rows', place: { done: 0, total: 8 } });
  await setImmediate();
  const atOnce = written();
  while (!written().includes('2 of 8 blocks')) {
    shown.update({ step: 'rows', place: { done: 2, total: 8 } });
    await setImmediate();
  }

  assert.match(atOnce, /^Upgrading: rows/);
  assert.match(written(), /upgrading \[.+\] 25% \| 2 of 8 blocks/);
});

test('an upgrade that ends before its bar is loaded has none', LIMIT, async () => {
  const { terminal, written } = newTerminal();
  const shown = showUpgrade({ terminal, format: 'text' });

  shown.update({ step: 'rows', place: { done: 0, total: 8 } });
  shown[Symbol.dispose]();
  await import('./progress.ts');
  await setImmediate();
  shown.update({ step: 'rows', place: { done: 8, total: 8 } });
  await setImmediate();

  assert.doesNotMatch(written(), /\[/);
});

function newTerminal(): { readonly terminal: Terminal; readonly written: () => string } {
  const stderr = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true });
  let written = '';
  stderr.on('data', (text: string) => (written += text));
  return {
    terminal: { stdout: new PassThrough(), stderr, environment: {} },
    written: () => written,
  };
}
