// Groups of the inbox as receivers, where the same process serves them. The hub imports nothing of the notifications:
// the host, which starts both, passes these functions.

/** A group that a person may give a key of. */
export interface InboxGroup {
  readonly id: string;
  readonly name: string;
}

export interface InboxNotification {
  readonly title: string;
  readonly body: string;
  readonly severity: 'info' | 'warning' | 'critical';
}

export interface Inbox {
  /** Groups in which the person may make keys. */
  readonly listGroups: (accountId: string) => Promise<readonly InboxGroup[]>;
  /**
   * Makes a key of a group; the owners of the group see it among the keys, and end the connection by revoking it.
   * @returns the id of the key; undefined when the person may not, or the group has no room for one
   */
  readonly connect: (connection: {
    readonly person: { readonly accountId: string; readonly name: string };
    readonly groupId: string;
    /** As the inbox names the sender. */
    readonly name: string;
  }) => Promise<string | undefined>;
  /** Revokes a key that `connect` made; one that has ended stays so. `away`: the inbox is not open in this process. */
  readonly disconnect: (connection: {
    readonly person: { readonly name: string };
    readonly keyId: string;
  }) => Promise<'revoked' | 'away'>;
  /**
   * Posts with a key; the same id again, within a day, posts nothing. `gone`: the key has ended. `paused`: the group
   * takes nothing now.
   */
  readonly post: (message: {
    readonly keyId: string;
    readonly id: string;
    readonly notification: InboxNotification;
  }) => Promise<'posted' | 'gone' | 'paused'>;
}

const SCHEME = 'lothub-inbox:';

/** What is in the place of an address. */
export function inboxUrl(keyId: string): string {
  return SCHEME + keyId;
}

/** The key of a group; undefined for an address of HTTP. */
export function keyOfInboxUrl(url: string): string | undefined {
  return url.startsWith(SCHEME) ? url.slice(SCHEME.length) : undefined;
}
