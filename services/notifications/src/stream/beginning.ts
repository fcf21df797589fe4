// Where a stream begins: which groups it hears, how far they are, and what of the way from its cursor is
// gone.
import type { DatabaseReader } from '@lothub/kit/database';
import { readFeedPosition } from '../feed/feed-queries.ts';
import { readStandings } from '../inbox/standing.ts';
import type { GroupStanding } from '../inbox/standing.ts';
import { PREAMBLE, resetFrame, stateFrame } from './frames.ts';

export interface Beginning {
  /** Groups of the person, as many as were asked for. */
  readonly standings: readonly GroupStanding[];
  /** Everything behind it is to be told. */
  readonly position: number;
  readonly isCursorGood: boolean;
}

export interface BeginningRequest {
  readonly accountId: string;
  /** The one group to hear; undefined: all of the person. */
  readonly only: string | undefined;
  /** Position that was heard last; undefined: from now on. */
  readonly cursor: number | undefined;
  /** How far the feed was heard in this process. */
  readonly heard: number;
}

export async function readBeginning(
  database: DatabaseReader,
  { accountId, only, cursor, heard }: BeginningRequest,
): Promise<Beginning> {
  // Before the state is read: what is posted in between is in it and comes besides, and not neither.
  // A cursor may be ahead of what was heard here, as other processes hear sooner.
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
