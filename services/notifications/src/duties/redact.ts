// Taking the texts of a notification away: its place, severity, sender and time stay, so that nothing moves for
// those who count on them.
import type { Clock } from '@lothub/kit/clock';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { insertSignal } from '../feed/signals.ts';
import { assertOwner, whileOwned } from '../groups/ownership.ts';
import { noSuchNotification } from '../inbox/list.ts';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import type { NotificationStore } from '../store/store.ts';
import type { Sql } from 'sql-template-tag';
import {
  findCopy,
  findRedactable,
  readAckSignals,
  redactStatements,
  updateDetail,
  whileReadable,
} from './redact-queries.ts';
import type { AckSignal, NotificationPlace, RedactableRow } from './redact-queries.ts';

/** Groups that a notification may have been escalated through, one after the other. */
const COPIES_MAX = 10;

export interface DutyDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
}

/**
 * Also redacts the copies in the groups that it was escalated to. After a crash between two groups the later ones are
 * unchanged; a retry redacts them.
 * @throws Problem `not_found`, `owner_only`
 */
export async function redactNotification(
  deps: DutyDeps,
  { actor, ...place }: NotificationPlace & { readonly actor: Actor },
): Promise<void> {
  const { reader } = deps.store;
  await assertOwner(reader, { actor, groupId: place.groupId });
  if ((await findRedactable(reader, place)) === undefined) throw noSuchNotification();
  await redactOne(deps, { ...place, actor, ownerId: actor.accountId });
  await redactCopies(deps, { ...place, actor });
}

/**
 * Redacts the copies of a redacted notification in other groups, no matter who owns those: the texts are from this
 * group. Does nothing for a notification that still has its texts.
 */
export async function redactCopies(
  deps: DutyDeps,
  { actor, ...place }: NotificationPlace & { readonly actor: Actor },
): Promise<void> {
  const { reader } = deps.store;
  const row = await findRedactable(reader, place);
  if (row === undefined || row.redactedAt === null) return;
  let copy = await findCopy(reader, place);
  for (let copies = 0; copy !== undefined && copies < COPIES_MAX; copies += 1) {
    await redactOne(deps, { ...copy, actor, ownerId: null });
    copy = await findCopy(reader, copy);
  }
}

async function redactOne(
  { store, clock }: DutyDeps,
  target: NotificationPlace & { readonly actor: Actor; readonly ownerId: string | null },
): Promise<void> {
  const { groupId, seq, actor, ownerId } = target;
  await store.distribute();
  await changePlanned(store, async () => {
    const row = await findRedactable(store.reader, target);
    if (row === undefined || row.redactedAt !== null) return { result: undefined };
    const acks = await readAckSignals(store.reader, target, row);
    return {
      guard: whileOwned({ ownerId, groupId }, whileReadable(target)),
      statements: buildStatements(store, { groupId, seq }, { row, acks, actor, at: clock.nowMs() }),
      result: undefined,
    };
  });
}

function buildStatements(
  { erasedBytes }: Pick<NotificationStore, 'erasedBytes'>,
  place: NotificationPlace,
  redaction: {
    readonly row: RedactableRow;
    readonly acks: readonly AckSignal[];
    readonly actor: Actor;
    readonly at: number;
  },
): readonly Sql[] {
  const { groupId, seq } = place;
  const { row, acks, actor, at } = redaction;
  return [
    ...(erasedBytes?.note ?? []),
    ...redactStatements(place, row, at),
    ...acks.map(({ position, detail }) => updateDetail(position, withoutComment(detail))),
    insertAuditEntry({
      at,
      actor,
      action: 'notification_redacted',
      groupId,
      subject: String(seq),
      details: { seq, severity: row.severity },
    }),
    ...insertSignal({ kind: 'redacted', groupId, accountId: null, detail: { seq }, at }),
  ];
}

/** The stored detail of an acknowledgement's signal. */
function withoutComment(detail: string): string {
  const fields = JSON.parse(detail) as Readonly<Record<string, unknown>>;
  return JSON.stringify(
    Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'comment')),
  );
}
