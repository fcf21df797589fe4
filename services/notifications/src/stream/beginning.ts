// Where a stream begins: its groups, their state, and whether entries after its cursor were deleted.
import type { DatabaseReader } from '@lothub/kit/database';
import { readFeedPosition } from '../feed/feed-queries.ts';
import { readStandings, type GroupStanding } from '../inbox/standing.ts';
import { PREAMBLE, resetFrame, stateFrame } from './frames.ts';

export interface Beginning {
  /** Groups of the person, as many as were asked for. */
  readonly standings: readonly GroupStanding[];
  /** The stream gets all entries after it. */
  readonly position: number;
  readonly isCursorGood: boolean;
}

export interface BeginningRequest {
  readonly accountId: string;
  /** The only group of the stream; undefined: all groups of the person. */
  readonly only: string | undefined;
  /** The last position that the client received; undefined: from now on. */
  readonly cursor: number | undefined;
  /** The position up to which this process has read the feed. */
  readonly heard: number;
}

export async function readBeginning(
  database: DatabaseReader,
  { accountId, only, cursor, heard }: BeginningRequest,
): Promise<Beginning> {
  // Before the state is read: what is posted in between is in it and comes besides, and not neither.
  // A cursor may be ahead of this process, because other processes may read the feed earlier.
  const isHeard = cursor !== undefined && cursor <= heard;
  const head = isHeard ? heard : await readFeedPosition(database);
  const groupIds = only === undefined ? undefined : [only];
  const standings = await readStandings(database, { accountId, groupIds });
  // A position that was never given is of another database, or of this one before it was put back.
  const isCursorGood = cursor === undefined || cursor <= head;
  return {
    standings,
    position: cursor === undefined || !isCursorGood ? head : cursor,
    isCursorGood,
  };
}

/** The first bytes of the stream. */
export function beginningFrame(
  { standings, position, isCursorGood }: Beginning,
  { beatMs }: { readonly beatMs: number },
): Buffer {
  const lost = isCursorGood
    ? standings.filter(({ prunedPosition }) => prunedPosition > position)
    : standings;
  const frames = [PREAMBLE, stateFrame(standings, { position, beatMs })];
  if (lost.length > 0) frames.push(resetFrame(lost, position));
  return Buffer.concat(frames);
}
