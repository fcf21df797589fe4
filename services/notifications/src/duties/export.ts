// A group as lines of JSON: everything that an owner may see of it, without secrets. It is read page by page, with a
// turn for others after each, and the last line says that it is whole.
import { instantText } from '@lothub/kit/clock';
import { nextTurn } from '@lothub/kit/in-turns';
import { auditOfGroup } from '../audit/audit.ts';
import { listWebhooks } from '../delivery/webhooks/webhooks.ts';
import { findEscalation } from '../escalation/rules.ts';
import { getGroup } from '../groups/groups.ts';
import { listMembers } from '../groups/members.ts';
import { assertOwner } from '../groups/ownership.ts';
import { PAGE_MAX } from '../http.ts';
import { listNotifications } from '../inbox/list.ts';
import { listKeys } from '../keys/keys.ts';
import { insertAuditEntry } from '../store/audit.ts';
import { noteExport } from './group-queries.ts';
import type { DutyDeps } from './redact.ts';

/** A media type for lines of JSON. */
export const NDJSON = 'application/x-ndjson';

export interface GroupExportRequest {
  readonly actor: { readonly accountId: string; readonly name: string };
  readonly groupId: string;
}

/**
 * Exports everything that was in the group when the export began. Only an export that was read to its end counts for
 * the deletion of the group.
 * @throws Problem `not_found`, `owner_only`
 */
export async function exportGroup(
  deps: DutyDeps,
  request: GroupExportRequest,
): Promise<AsyncGenerator<string>> {
  await assertOwner(deps.store.reader, request);
  return generateLines(deps, request);
}

async function* generateLines(deps: DutyDeps, request: GroupExportRequest): AsyncGenerator<string> {
  const { store, clock } = deps;
  const { reader } = store;
  const { actor, groupId } = request;
  const { accountId } = actor;
  const { role: _role, unread: _unread, ...group } = await getGroup(reader, { accountId, groupId });
  const headSeq = group.head_seq;
  yield line('group', { ...group, exported_at: instantText(clock.nowMs()) });
  yield* all('member', (after) => listMembers(reader, { accountId, groupId, ...page(after) }));
  yield* all('key', (after) => listKeys(deps, { actor, groupId, ...page(after) }));
  for (const { url, ...webhook } of (await listWebhooks(deps, request)).items) {
    // An address may be a secret.
    yield line('webhook', { ...webhook, host: new URL(url).host });
  }
  const escalation = await findEscalation(deps, request);
  if (escalation !== undefined) yield line('escalation', escalation);
  yield* notificationsUpTo(deps, { ...request, headSeq });
  yield* all('audit', (after) =>
    auditOfGroup(reader, {
      actor,
      groupId,
      after: after === undefined ? undefined : Number(after),
      limit: PAGE_MAX,
    }),
  );
  await store.write([
    noteExport(groupId, headSeq),
    insertAuditEntry({
      at: clock.nowMs(),
      actor,
      action: 'group_exported',
      groupId,
      subject: groupId,
      details: { head_seq: headSeq },
    }),
  ]);
  yield line('end', { head_seq: headSeq });
}

async function* notificationsUpTo(
  { store }: DutyDeps,
  { actor, groupId, headSeq }: GroupExportRequest & { readonly headSeq: number },
): AsyncGenerator<string> {
  const key = { accountId: actor.accountId, groupId };
  let after = 0;
  while (after < headSeq) {
    const { items, next } = await listNotifications(store.reader, key, { after, limit: PAGE_MAX });
    // What one person has read is not the group's.
    const lines = items
      .filter(({ seq }) => seq <= headSeq)
      .map(({ read: _read, ...notification }) => line('notification', notification));
    if (lines.length > 0) yield lines.join('');
    await nextTurn();
    if (next === null) return;
    after = next;
  }
}

/** All pages of a list. */
async function* all<Cursor extends string | number>(
  type: string,
  read: (
    after: string | undefined,
  ) => Promise<{ readonly items: readonly object[]; readonly next: Cursor | null }>,
): AsyncGenerator<string> {
  let after: string | undefined;
  for (;;) {
    const { items, next } = await read(after);
    if (items.length > 0) yield items.map((item) => line(type, item)).join('');
    await nextTurn();
    if (next === null) return;
    after = String(next);
  }
}

function page(after: string | undefined): {
  readonly after: string | undefined;
  readonly limit: number;
} {
  return { after, limit: PAGE_MAX };
}

function line(type: string, values: object): string {
  return `${JSON.stringify({ type, ...values })}\n`;
}
