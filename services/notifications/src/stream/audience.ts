// Which readers get which entries: the people with open streams, and the groups of each, at the position up to which
// this process has read the feed.
import type { RecentEntry } from './recent.ts';
import type { StreamReader } from './stream-reader.ts';

/** A person with streams in this process. */
export interface Listener {
  readonly accountId: string;
  readonly readers: Set<StreamReader>;
  /** Groups of all its streams together. */
  readonly groupIds: Set<string>;
  /**
   * Groups it left while a stream is being opened, whatever was read of its memberships meanwhile; a
   * set for each opening.
   */
  readonly leftMeanwhile: Set<Set<string>>;
  /** Groups whose state has to be sent to its streams again. */
  readonly staleGroupIds: Set<string>;
  isRefreshing: boolean;
}

export class Audience {
  readonly #listeners = new Map<string, Listener>();
  readonly #ofGroup = new Map<string, Set<Listener>>();

  get size(): number {
    return this.#listeners.size;
  }

  findListener(accountId: string): Listener | undefined {
    return this.#listeners.get(accountId);
  }

  listListeners(groupId: string): Iterable<Listener> {
    return this.#ofGroup.get(groupId) ?? [];
  }

  *readers(): Generator<StreamReader> {
    for (const { readers } of this.#listeners.values()) yield* readers;
  }

  add(reader: StreamReader): Listener {
    const { accountId } = reader.person;
    let listener = this.#listeners.get(accountId);
    if (listener === undefined) {
      listener = {
        accountId,
        readers: new Set(),
        groupIds: new Set(),
        leftMeanwhile: new Set(),
        staleGroupIds: new Set(),
        isRefreshing: false,
      };
      this.#listeners.set(accountId, listener);
    }
    listener.readers.add(reader);
    return listener;
  }

  remove(reader: StreamReader): void {
    const { accountId } = reader.person;
    const listener = this.#listeners.get(accountId);
    if (listener === undefined || !listener.readers.delete(reader)) return;
    if (listener.readers.size > 0) return;
    for (const groupId of listener.groupIds) this.leave(listener, groupId);
    this.#listeners.delete(accountId);
  }

  join(listener: Listener, groupId: string): void {
    if (listener.groupIds.has(groupId)) return;
    listener.groupIds.add(groupId);
    const others = this.#ofGroup.get(groupId);
    if (others === undefined) this.#ofGroup.set(groupId, new Set([listener]));
    else others.add(listener);
  }

  leave(listener: Listener, groupId: string): void {
    listener.groupIds.delete(groupId);
    const others = this.#ofGroup.get(groupId);
    others?.delete(listener);
    if (others?.size === 0) this.#ofGroup.delete(groupId);
  }
}

/** Lists the groups whose entries a stream gets. */
export function groupsHeard(
  { only }: Pick<StreamReader, 'only'>,
  { groupIds }: Pick<Listener, 'groupIds'>,
): readonly string[] {
  if (only === undefined) return [...groupIds];
  return groupIds.has(only) ? [only] : [];
}

export function hears(
  { only }: Pick<StreamReader, 'only'>,
  listener: Pick<Listener, 'groupIds' | 'accountId'>,
  { groupId, accountId }: Pick<RecentEntry, 'groupId' | 'accountId'>,
): boolean {
  if (groupId === null) return false;
  if (only !== undefined && only !== groupId) return false;
  return (
    listener.groupIds.has(groupId) && (accountId === undefined || accountId === listener.accountId)
  );
}
