// What a telephone reads of the manifest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifestText } from './manifest.ts';

test('a manifest names the service, where it opens, and its icon in two forms', () => {
  const text = manifestText({ name: 'Hub "1"', start: '/', svg: '/a.svg', png: '/a.png' });

  const manifest: unknown = JSON.parse(text);
  assert.deepEqual(manifest, {
    name: 'Hub "1"',
    short_name: 'Hub "1"',
    start_url: '/',
    scope: '/',
    display: 'minimal-ui',
    theme_color: '#2b49c4',
    background_color: '#f5f6f9',
    icons: [
      { src: '/a.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/a.png', sizes: '192x192', type: 'image/png' },
    ],
  });
});
