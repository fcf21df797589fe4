// Addresses of files that browsers keep for ever.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeTextAsset } from './hashed-asset.ts';

const NAME = { stem: 'page', extension: 'css' } as const;

test('an address changes with the content and with nothing else', () => {
  const one = makeTextAsset('/assets', NAME, 'a {}');
  const same = makeTextAsset('/assets', NAME, 'a {}');
  const other = makeTextAsset('/assets', NAME, 'b {}');

  assert.match(one.path, /^\/assets\/page\.[0-9a-f]{16}\.css$/);
  assert.equal(same.path, one.path);
  assert.notEqual(other.path, one.path);
});

test('the media type follows from the extension', () => {
  const types = (['css', 'svg', 'js'] as const).map(
    (extension) => makeTextAsset('/assets', { stem: 'a', extension }, '').mediaType,
  );

  assert.deepEqual(types, [
    'text/css; charset=utf-8',
    'image/svg+xml; charset=utf-8',
    'text/javascript; charset=utf-8',
  ]);
});
