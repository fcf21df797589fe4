// Files that only re-export from other files (barrels). An import from one is resolved to the file that has the name,
// so browsers load nothing else of the package.

/** The origin of a name that a barrel re-exports. */
export interface HandedOn {
  readonly specifier: string;
  /** What it is called there. */
  readonly name: string;
}

const COMMENT = /\/\*[^]*?\*\/|\/\/[^\n]*/g;
const HAND_ON = /export\s+(type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'\s*;/g;

/** By the names that the file exports; undefined of a file that does anything else. */
export function readBarrel(source: string): ReadonlyMap<string, HandedOn> | undefined {
  const code = source.replaceAll(COMMENT, '');
  if (code.replaceAll(HAND_ON, '').trim() !== '') return undefined;
  const names = new Map<string, HandedOn>();
  for (const [, type, list = '', specifier = ''] of code.matchAll(HAND_ON)) {
    if (type !== undefined) continue;
    for (const { name, alias } of namesIn(list)) names.set(alias, { specifier, name });
  }
  return names.size === 0 ? undefined : names;
}

export interface ListedName {
  readonly name: string;
  /** What it is called here. */
  readonly alias: string;
}

/** `a, b as c, type D`: types are left out. */
export function namesIn(list: string): readonly ListedName[] {
  return list
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '' && !one.startsWith('type '))
    .map((one) => {
      const [name = one, alias = name] = one.split(/\s+as\s+/);
      return { name, alias };
    });
}
