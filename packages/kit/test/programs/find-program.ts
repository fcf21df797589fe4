// Programs that tests run: out of the system, else from Debian. Tests never go without them: where there is
// none, they fail and say what to do.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Debian's mirror may be slow, but not for ever. */
const INSTALL_TIMEOUT_MS = 180_000;

/** A program whose Debian package has its name. */
export interface WantedProgram {
  readonly name: string;
  /** What the tests do with it, as in `the tests … it`. */
  readonly purpose: string;
}

/**
 * @returns the path of the program
 * @throws Error with what to do
 */
export function findProgram({ name, purpose }: WantedProgram): string {
  const found = onPath(name) ?? (installFromDebian(name) ? onPath(name) : undefined);
  if (found !== undefined) return found;
  throw new Error(
    `the tests ${purpose} ${name}, and found none: install it (apt-get install ${name})`,
  );
}

function onPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .concat('/usr/bin')
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path));
}

/** @returns whether it could be */
function installFromDebian(name: string): boolean {
  if (!existsSync('/usr/bin/apt-get') || process.getuid?.() !== 0) return false;
  const options = {
    stdio: 'ignore',
    timeout: INSTALL_TIMEOUT_MS,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  } as const;
  try {
    execFileSync('apt-get', ['update'], options);
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', name], options);
    return true;
  } catch {
    // The caller says what to do.
    return false;
  }
}
