// One script out of modules: each becomes a function that answers what it exports. It serves pages that must be a
// single file, and what browsers would otherwise load in dozens of files, one behind the other; nothing is made
// smaller or changed inside of a module.

export interface PlainModule {
  /** By which the others import it. */
  readonly path: string;
  readonly javascript: string;
}

const FROM = /^(import|export)\s+\{([^}]*)\}\s*from\s+'([^']+)';?/gm;
const DECLARED = /^export\s+((?:async\s+)?function\*?|const|let|class)\s+([A-Za-z0-9_$]+)/gm;
/** What is left of a module system after the above, and is none of the forms that this reads. */
const LEFT = /^(?:import|export)\b.*$/m;

/**
 * Declares a constant for each module, `module0` for the first of them.
 * @param modules each behind those that it imports
 * @throws Error when a module imports or exports in another form than by names
 */
export function flatten(modules: readonly PlainModule[]): string {
  const names = new Map(modules.map(({ path }, index) => [path, `module${index}`]));
  return modules
    .map((module) => `const ${getName(names, module.path)} = ${asFunction(module, names)};\n`)
    .join('');
}

function asFunction(module: PlainModule, names: ReadonlyMap<string, string>): string {
  const exported: string[] = [];
  const body = module.javascript
    .replace(FROM, (_all, kind: string, list: string, from: string) => {
      const source = getName(names, from);
      const pairs = list
        .split(',')
        .map((item) => item.trim())
        .filter((item) => item !== '')
        .map((item) => item.split(/\s+as\s+/));
      if (kind === 'export') {
        exported.push(...pairs.map(([name, as = name]) => `${as}: ${source}.${name}`));
        return '';
      }
      const bound = pairs.map(([name, as]) => (as === undefined ? name : `${name}: ${as}`));
      return `const { ${bound.join(', ')} } = ${source};`;
    })
    .replace(DECLARED, (_all, keyword: string, name: string) => {
      exported.push(name);
      return `${keyword} ${name}`;
    });
  const left = LEFT.exec(body);
  if (left !== null) throw new Error(`${module.path} has "${left[0]}", which cannot be flattened`);
  return `(() => {\n${body}\nreturn { ${exported.join(', ')} };\n})()`;
}

function getName(names: ReadonlyMap<string, string>, path: string): string {
  const name = names.get(path);
  if (name === undefined) throw new Error(`there is no module ${path}`);
  return name;
}
