// What the routes of pages need, and how each sends its page.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPerson } from '../access/gate.ts';
import type { PushSend } from '@lothub/delivery/push/push-sender';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import type { AddressRules } from '@lothub/delivery/sending/address-rules';
import type { Send } from '@lothub/delivery/sending/send';
import type { TokenBucket } from '@lothub/kit/http/token-bucket';
import { listGroups, type Group } from '../groups/groups.ts';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import type { MailDeps } from '../mail/mail-settings.ts';
import type { EntranceDeps } from '../people/deps.ts';
import { layOut, sendPage, type Page } from './layout.ts';

/** Where the pages answer people who are not logged in, too, they need what lets them in. */
export interface WebDeps extends EntranceDeps {
  /** Where webhooks and push messages may be sent to. */
  readonly addresses: AddressRules;
  readonly push: PushSend;
  /** The public key of push messages. */
  readonly pushKey: string;
  readonly send: Send;
  readonly testRate: TokenBucket | undefined;
  readonly mail: MailDeps;
}

/** Characters of a hash: enough to distinguish two people who use one browser. */
const MARK_LENGTH = 16;

function readerMark(accountId: string): string {
  return sha256Hex(`reader ${accountId}`).slice(0, MARK_LENGTH);
}

/** All groups of a person, by their names. */
export async function groupsOfPerson(deps: WebDeps, accountId: string): Promise<readonly Group[]> {
  const { items } = await listGroups(deps.store.reader, {
    accountId,
    limit: GROUPS_PER_PERSON_MAX,
  });
  const { compare } = new Intl.Collator('en', { numeric: true });
  return items.toSorted((a, b) => compare(a.name, b.name));
}

/** Sends a page inside the frame of the person who looks. */
export async function sendFramed(
  deps: WebDeps,
  to: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  page: Page,
  options: { readonly status?: number; readonly groups?: readonly Group[] } = {},
): Promise<FastifyReply> {
  const person = getPerson(to.request);
  const groups = options.groups ?? (await groupsOfPerson(deps, person.accountId));
  const reader = readerMark(person.accountId);
  // The service worker keeps pages of this reader, and deletes those of another.
  void to.reply.header('Inbox-Reader', reader);
  return sendPage(to.reply, layOut(page, { name: person.name, reader, groups }), options);
}
