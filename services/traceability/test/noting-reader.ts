// A reader that passes every query on and notes it, for tests of the plans of queries.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';

export interface NotingReader extends DatabaseReader {
  /** In the order in which they were asked. */
  readonly queries: readonly Sql[];
}

/** Closing it leaves the other one open. */
export function notingReader(reader: Pick<DatabaseReader, 'all' | 'first'>): NotingReader {
  const queries: Sql[] = [];
  return {
    queries,
    all: (query) => {
      queries.push(query);
      return reader.all(query);
    },
    first: (query) => {
      queries.push(query);
      return reader.first(query);
    },
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
