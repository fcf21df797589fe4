// All routes of an app, for tests that walk them: what is registered later is walked, too.

export interface Route {
  readonly method: string;
  /** With its parameters, as in `/lot/:lot_code`. */
  readonly path: string;
}

/** Columns of one level in the tree that Fastify prints. */
const INDENT = 4;

/** All routes of an app, as it prints them itself. */
export function listRoutes(app: { printRoutes(options: object): string }): readonly Route[] {
  const parents: string[] = [];
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const [, indent = '', part = '', methods] =
        /^([│├└─\s]*)(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
      const level = indent.length / INDENT;
      const path = `${parents[level - 1] ?? ''}${part}`;
      parents.length = level;
      parents[level] = path;
      return (methods ?? '')
        .split(', ')
        .filter((method) => method !== '')
        .map((method) => ({ method, path }));
    });
}
