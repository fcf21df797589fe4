// Sends the state of groups to a person's streams soon after it changed by something else than a notification.
// Several changes at once are sent together.
import type { DatabaseReader } from '@lothub/kit/database';
import { readStandings, type GroupStanding } from '../inbox/standing.ts';
import { groupsHeard, type Listener } from './audience.ts';
import type { StreamReader } from './stream-reader.ts';

export interface StateSenderOptions {
  readonly reader: DatabaseReader;
  /** Queues a state for a reader, after all frames that are queued for it already. */
  readonly send: (reader: StreamReader, standings: readonly GroupStanding[]) => void;
  readonly onError: (error: unknown) => void;
}

export class StateSender {
  readonly #options: StateSenderOptions;
  /** By group: seq of the newest notification in the feed. */
  readonly #headSeqs = new Map<string, number>();

  constructor(options: StateSenderOptions) {
    this.#options = options;
  }

  heard({ groupId, seq }: { readonly groupId: string; readonly seq: number }): void {
    this.#headSeqs.set(groupId, seq);
  }

  /** Forgets the newest notifications, before the feed is read again. */
  forget(): void {
    this.#headSeqs.clear();
  }

  /** Sends the state of these groups to the person's streams soon. */
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
        for (const reader of readers) this.#send(reader, listener, standings);
      }
    } catch (error) {
      this.#options.onError(error);
    } finally {
      listener.isRefreshing = false;
    }
  }

  /** Adds the notifications that were posted after the standing was read: they are unread. */
  #upToDate(standing: GroupStanding): GroupStanding {
    const headSeq = Math.max(standing.headSeq, this.#headSeqs.get(standing.groupId) ?? 0);
    return { ...standing, headSeq, unread: standing.unread + headSeq - standing.headSeq };
  }

  #send(reader: StreamReader, listener: Listener, standings: readonly GroupStanding[]): void {
    if (reader.phase !== 'live' || !reader.canTake) {
      reader.missedState = true;
      return;
    }
    const heard = new Set(groupsHeard(reader, listener));
    const wanted = standings.filter(({ groupId }) => heard.has(groupId));
    if (wanted.length > 0) this.#options.send(reader, wanted);
  }
}
