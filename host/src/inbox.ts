// Groups of the inbox as the hub beside it sees them: the functions that the notifications give once they are open.
// A function and no request: no key lies about, no address has to lead back here, and a notification is stored or it
// is not.
import type { Inbox } from '@lothub/traceability/cli/serve';

export class InboxOfProcess implements Inbox {
  #inbox: Inbox | undefined;

  opened(inbox: Inbox): void {
    this.#inbox = inbox;
  }

  readonly listGroups: Inbox['listGroups'] = async (accountId) =>
    (await this.#inbox?.listGroups(accountId)) ?? [];

  readonly connect: Inbox['connect'] = async (request) => await this.#inbox?.connect(request);

  readonly disconnect: Inbox['disconnect'] = async (request) => {
    if (this.#inbox === undefined) return 'away';
    return await this.#inbox.disconnect(request);
  };

  /** Until they are open a group takes nothing; it is tried again. */
  readonly post: Inbox['post'] = async (request) => (await this.#inbox?.post(request)) ?? 'paused';
}
