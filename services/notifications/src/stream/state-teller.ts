// Tells the streams of a person how far its groups are, soon after that has changed otherwise than by a
// notification: many changes at once are told once.
import type { DatabaseReader } from '@lothub/kit/database';
import { readStandings } from '../inbox/standing.ts';
import type { GroupStanding } from '../inbox/standing.ts';
import type { Listener } from './audience.ts';
import { groupsHeard } from './audience.ts';
import type { StreamReader } from './stream-reader.ts';

export interface StateTellerOptions {
  readonly reader: DatabaseReader;
  /** Gives a reader a state behind everything that it was to hear before. */
  readonly tell: (reader: StreamReader, standings: readonly GroupStanding[]) => void;
  readonly onError: (error: unknown) => void;
}

export class StateTeller {
  readonly #options: StateTellerOptions;
  /** seq of the newest notification that was heard of each group. */
  readonly #headSeqs = new Map<string, number>();

  constructor(options: StateTellerOptions) {
    this.#options = options;
  }

  heard({ groupId, seq }: { readonly groupId: string; readonly seq: number }): void {
    this.#headSeqs.set(groupId, seq);
  }

  /** Nothing was heard yet. */
  forget(): void {
    this.#headSeqs.clear();
  }

  /** The person's streams are told soon how far these groups are now. */
  makeStale(listener: Listener, groupIds: readonly string[]): void {
    for (const groupId of groupIds) listener.staleGroupIds.add(groupId);
    if (!listener.isRefreshing) void this.#refresh(listener);
  }

  async #refresh(listener: Listener): Promise<void> {
    const { accountId, staleGroupIds, readers } = listener;
    listener.isRefreshing = true;
    try {
      while (staleGroupIds.size > 0 && readers.size > 0) {
        const groupIds = [...staleGroupIds];
        staleGroupIds.clear();
        const found = await readStandings(this.#options.reader, { accountId, groupIds });
        const standings = found.map((standing) => this.#upToDate(standing));
        for (const reader of readers) this.#tell(reader, listener, standings);
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      listener.isRefreshing = false;
    }
  }

  /** What was heard by now may have been posted after the standing was read: it is unread. */
  #upToDate(standing: GroupStanding): GroupStanding {
    const headSeq = Math.max(standing.headSeq, this.#headSeqs.get(standing.groupId) ?? 0);
    return { ...standing, headSeq, unread: standing.unread + headSeq - standing.headSeq };
  }

  #tell(reader: StreamReader, listener: Listener, standings: readonly GroupStanding[]): void {
    if (reader.phase !== 'live' || !reader.canTake) {
      reader.missedState = true;
      return;
    }
    const heard = new Set(groupsHeard(reader, listener));
    const told = standings.filter(({ groupId }) => heard.has(groupId));
    if (told.length > 0) this.#options.tell(reader, told);
  }
}
