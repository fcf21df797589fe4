// What `npm run pin-images` writes, and that the images in the repository are such as it finds.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { repositoryRoot } from './install.js';
import { IMAGE_FILES, pinImages } from './pin-images.js';

const OLD = `sha256:${'0'.repeat(64)}`;
const NEW = `sha256:${'a'.repeat(64)}`;

test('an image is pinned to its digest, and one that was pinned to a new one', () => {
  const asked = [];

  const text = pinImages(`FROM node:24.11.1-slim\n    image: nginx:1.28.0@${OLD}\n`, (image) => {
    asked.push(image);
    return NEW;
  });

  assert.equal(text, `FROM node:24.11.1-slim@${NEW}\n    image: nginx:1.28.0@${NEW}\n`);
  assert.deepEqual(asked, ['node:24.11.1-slim', 'nginx:1.28.0']);
});

test('an image of our own and everything else stay as they are', () => {
  const text = '  image: lothub\n# FROM here on\nCMD ["node"]\n';

  assert.equal(
    pinImages(text, () => NEW),
    text,
  );
});

for (const name of IMAGE_FILES) {
  test(`every image of others in ${name} is named by a whole version`, () => {
    const images = [];
    const text = readFileSync(join(repositoryRoot, name), 'utf8');

    pinImages(text, (image) => {
      images.push(image);
      return NEW;
    });

    const named = text.match(/^(?:FROM |\s*image: )(?!lothub$).+$/gm) ?? [];
    assert.notEqual(images.length, 0);
    assert.equal(images.length, named.length);
    for (const image of images) assert.match(image, /:\d+\.\d+(?:\.\d+)?(?:-[\w.-]+)?$/);
  });
}
