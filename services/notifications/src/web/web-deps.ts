// What the routes of pages stand on, and how each sends its page.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { personOf } from '../access/gate.ts';
import type { AddressRules } from '@lothub/webhooks/sending/address-rules';
import { listGroups } from '../groups/groups.ts';
import type { Group } from '../groups/groups.ts';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import type { EntranceDeps } from '../people/deps.ts';
import { layOut, sendPage } from './layout.ts';
import type { Page } from './layout.ts';

/** Where the pages answer people who are not logged in, too, they need what lets them in. */
export interface WebDeps extends EntranceDeps {
  /** Where webhooks may go. */
  readonly addresses: AddressRules;
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
  const person = personOf(to.request);
  const groups = options.groups ?? (await groupsOfPerson(deps, person.accountId));
  return sendPage(to.reply, layOut(page, { name: person.name, groups }), options);
}
