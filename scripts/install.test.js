// When the scripts install by themselves: never without need, always when something is missing.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { findReasonToInstall } from './install.js';

const EARLIER = new Date('2026-01-01T00:00:00Z');
const LATER = new Date('2026-01-02T00:00:00Z');

/** A directory that looks like a clone in which `npm ci` has run, but for the development tools. */
function makeInstalledRoot(t) {
  const root = mkdtempSync(join(tmpdir(), 'lothub-install-'));
  t.after(() => rmSync(root, { recursive: true }));
  put({ root, name: 'package-lock.json', time: EARLIER });
  put({ root, name: 'node_modules/.package-lock.json', time: LATER });
  return root;
}

function put({ root, name, time }) {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{}');
  utimesSync(path, time, time);
}

// The tests themselves run on a Node that fits, so the pinned binary need not be there.

test('a clone whose install is newer than its lock file needs no install', (t) => {
  const root = makeInstalledRoot(t);

  const reason = findReasonToInstall({ groups: ['optional'], root });

  assert.equal(reason, undefined);
});

test('a fresh clone needs an install', (t) => {
  const root = makeInstalledRoot(t);
  rmSync(join(root, 'node_modules'), { recursive: true });

  const reason = findReasonToInstall({ groups: ['optional'], root });

  assert.equal(reason, 'none are installed');
});

test('a lock file newer than the install needs an install', (t) => {
  const root = makeInstalledRoot(t);
  put({ root, name: 'node_modules/.package-lock.json', time: EARLIER });
  put({ root, name: 'package-lock.json', time: LATER });

  const reason = findReasonToInstall({ groups: ['optional'], root });

  assert.equal(reason, 'package-lock.json is newer');
});

test('an install for production needs another one before the checks can run', (t) => {
  const root = makeInstalledRoot(t);

  const reason = findReasonToInstall({ groups: ['optional', 'dev'], root });

  assert.equal(reason, 'the development tools are missing');
});

test('an install with development tools serves the checks too', (t) => {
  const root = makeInstalledRoot(t);
  put({ root, name: 'node_modules/typescript/package.json', time: LATER });

  const reason = findReasonToInstall({ groups: ['optional', 'dev'], root });

  assert.equal(reason, undefined);
});
