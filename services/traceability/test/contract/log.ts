// What the contracts of both engines ask of the tree over the chain: each query for its answers and its
// plan.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import * as logQueries from '../../src/ledger/log/queries.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

const toHexRow = (row: { readonly tile: number }, bytes: Uint8Array): readonly unknown[] => [
  row.tile,
  bytes.toHex(),
];

/** Tiles of any bytes: the ledger of the contract is too small to have some of its own. */
export const TILES_TO_FIND = [0, 1].flatMap((level) =>
  [0, 1, 3].map(
    (tile) => sql`
      insert into log_tiles (level, tile, root, hashes)
      values (${level}, ${tile}, ${Uint8Array.of(level, tile)}, ${Uint8Array.of(tile, level, 255)})
      on conflict do nothing`,
  ),
);

export function logContracts() {
  return [
    {
      file: 'ledger/log/queries.ts',
      subjects: logQueries,
      questions: {
        *hashesOfBlocks(): Iterable<Question> {
          for (const [from, below] of [
            [0, 5],
            [3, 4],
            [4, 4],
            [2, 1_000_000],
          ] as const)
            yield ({ database }) => logQueries.hashesOfBlocks(database, { from, below });
        },
        *textSizes(): Iterable<Question> {
          for (const heights of [[0], [5, 1, 2], [1_000_000]])
            yield ({ database }) => logQueries.textSizes(database, heights);
        },
        *storedTiles(): Iterable<Question> {
          for (const level of [0, 1, 7])
            for (const tiles of [[0], [1, 0, 1_000_000]])
              yield async ({ database }) => {
                const rows = await logQueries.storedTiles(database, { level, tiles });
                return rows.map((row) => toHexRow(row, row.hashes)).toSorted();
              };
        },
        *rootsOfTiles(): Iterable<Question> {
          for (const level of [0, 1, 7])
            for (const [from, below] of [
              [0, 5],
              [1, 1_000_000],
            ] as const)
              yield async ({ database }) => {
                const rows = await logQueries.rootsOfTiles(database, { level, from, below });
                return rows.map((row) => toHexRow(row, row.root));
              };
        },
      },
    },
  ];
}

/** Three levels, so that a level alone finds nothing. */
export const LOG_FILL = `
  insert into log_tiles (level, tile, root, hashes)
    select level, n, '', '' from generate_series(0, 2) level, generate_series(0, 20000) n;
`;

/** Queries that look at the rows of one tile at most, or at as many tiles as they ask for. */
export const LOG_PLANS: Readonly<Record<string, (database: DatabaseReader) => Promise<unknown>>> = {
  'hashes of the blocks of a tile': (database) =>
    logQueries.hashesOfBlocks(database, { from: 70_000, below: 70_256 }),
  'stored tiles': (database) =>
    logQueries.storedTiles(database, {
      level: 1,
      tiles: Array.from({ length: IN_LIST_MAX }, (_, index) => index * 30),
    }),
  'how large the texts of some blocks are': (database) =>
    logQueries.textSizes(
      database,
      Array.from({ length: IN_LIST_MAX }, (_, index) => index * 100),
    ),
  'roots below a tile': (database) =>
    logQueries.rootsOfTiles(database, { level: 1, from: 9_000, below: 9_256 }),
};
