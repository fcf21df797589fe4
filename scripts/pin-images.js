// `npm run pin-images`, a step of each release: pins the images that the Dockerfile and compose.yaml name by
// version to the digest that the registry has for it now. Plain JavaScript, as every script here; it asks
// the registry through Docker, which knows how.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from './install.js';

/** Files that name images of others. */
export const IMAGE_FILES = ['Dockerfile', 'compose.yaml'];

/** `FROM node:24.11.1-slim` and `image: nginx:1.28.0@sha256:…`; our own image has no version. */
const IMAGE = /^(FROM |\s*image: )([\w./-]+:[\w.-]+)(?:@sha256:[0-9a-f]{64})?$/gm;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/**
 * The same text with each image pinned to a digest, also one that was pinned to another.
 *
 * @param {string} text
 * @param {(image: string) => string} readDigest
 * @returns {string}
 */
export function pinImages(text, readDigest) {
  return text.replace(IMAGE, (_line, before, image) => `${before}${image}@${readDigest(image)}`);
}

/**
 * @param {string} image with its version
 * @returns {string} the digest of the list of its platforms
 * @throws {Error} with one paragraph for people
 */
function askDigest(image) {
  const asked = ['buildx', 'imagetools', 'inspect', image, '--format', '{{.Manifest.Digest}}'];
  const { stdout, stderr, error } = spawnSync('docker', asked, { encoding: 'utf8' });
  const digest = (stdout ?? '').trim();
  if (DIGEST.test(digest)) return digest;
  const reason = error?.message ?? stderr.trim();
  throw new Error(
    `pinning ${image}: the registry gave no digest (${reason}); see that \`docker buildx\` runs and ` +
      'reaches the registry, and that the version exists. Nothing was changed.',
  );
}

function main() {
  const pinned = IMAGE_FILES.map((name) => {
    const file = join(repositoryRoot, name);
    return { file, text: pinImages(readFileSync(file, 'utf8'), askDigest) };
  });
  for (const { file, text } of pinned) writeFileSync(file, text);
  console.log(
    `Pinned the images of ${IMAGE_FILES.join(' and ')}: look at the difference, and commit it.`,
  );
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
