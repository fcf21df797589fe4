// Reads the audit: of a group for its owners, of all groups for the operator.
import { instantText } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { readPlace } from '@lothub/people/places/place';
import { auditEntries as peopleAuditEntries } from '@lothub/people/store/audit-queries';
import type { AuditRow as PeopleAuditRow } from '@lothub/people/store/audit-queries';
import type { Static } from 'typebox';
import { assertOwner, type OwnedGroup } from '../groups/ownership.ts';
import { auditEntries, type AuditPage, type AuditRow } from './audit-queries.ts';
import type { AuditEntrySchema, AuditListSchema } from './audit-schema.ts';

export type AuditEntry = Static<typeof AuditEntrySchema>;
export type AuditList = Static<typeof AuditListSchema>;

/** @throws Problem `not_found`, `owner_only` */
export async function auditOfGroup(
  reader: DatabaseReader,
  page: OwnedGroup & { readonly after?: number | undefined; readonly limit: number },
): Promise<AuditList> {
  await assertOwner(reader, page);
  return await auditPage(reader, { groupId: page.groupId, after: page.after, limit: page.limit });
}

/** For the operator: checks no permission. */
export async function auditPage(reader: DatabaseReader, page: AuditPage): Promise<AuditList> {
  const found = await auditEntries(reader, { ...page, limit: page.limit + 1 });
  const { rows, last } = cutPage(found, page.limit);
  return { items: rows.map(entryFrom), next: last?.id ?? null };
}

/** The cursor of the whole audit: only entries that are older than it. */
export interface AuditCursor {
  readonly inbox: number;
  /** undefined: no entry of people was shown yet. */
  readonly people: number | undefined;
}

/** An entry of the inbox, or of the people, who have an audit of their own with ids of their own. */
export type AnyAuditEntry = Omit<AuditEntry, 'action'> & { readonly action: string };

/** For the operator: what was done in groups and to accounts, the newest first. */
export async function auditOfAll(
  readers: { readonly inbox: DatabaseReader; readonly people: DatabaseReader },
  { limit, after }: { readonly limit: number; readonly after?: AuditCursor | undefined },
): Promise<{ readonly items: readonly AnyAuditEntry[]; readonly next: string | null }> {
  const most = limit + 1;
  const inbox = await auditEntries(readers.inbox, {
    groupId: undefined,
    after: after?.inbox,
    limit: most,
  });
  const people = await peopleAuditEntries(readers.people, { after: after?.people, limit: most });
  const shown: { readonly inbox: AuditRow[]; readonly people: PeopleAuditRow[] } = {
    inbox: [],
    people: [],
  };
  const items: AnyAuditEntry[] = [];
  while (items.length < limit) {
    const [ours, theirs] = [inbox[shown.inbox.length], people[shown.people.length]];
    if (ours !== undefined && (theirs === undefined || ours.at >= theirs.at)) {
      shown.inbox.push(ours);
      items.push(entryFrom(ours));
    } else if (theirs !== undefined) {
      shown.people.push(theirs);
      items.push(entryFrom({ ...theirs, groupId: findGroup(theirs) }));
    } else break;
  }
  if (inbox.length + people.length <= limit) return { items, next: null };
  const inboxId = shown.inbox.at(-1)?.id ?? after?.inbox ?? Number.MAX_SAFE_INTEGER;
  const peopleId = shown.people.at(-1)?.id ?? after?.people;
  return { items, next: peopleId === undefined ? `${inboxId}` : `${inboxId}-${peopleId}` };
}

function findGroup({ place }: PeopleAuditRow): string | null {
  const found = place === null ? undefined : readPlace(place);
  return found?.kind === 'group' ? found.id : null;
}

function entryFrom<Row extends Omit<AuditRow, 'action'> & { readonly action: string }>(
  row: Row,
): Omit<AuditEntry, 'action'> & Pick<Row, 'action'> {
  return {
    id: row.id,
    at: instantText(row.at),
    account_id: row.accountId,
    actor: row.actor,
    action: row.action,
    group_id: row.groupId,
    subject: row.subject,
    details: parseDetails(row.details),
  };
}

function parseDetails(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
