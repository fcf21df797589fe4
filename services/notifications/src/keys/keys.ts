// Keys of a group: issuing, naming, ending, rotating and revoking them
// (docs/interface/notifications.md#keys). An owner does it, or the operator. Within a second every process
// drops a changed key from its cache, because of the signal in the transaction of the change.
import { instantTextOrNull, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { Static } from 'typebox';
import { Problem } from '../errors.ts';
import { computeExpiry } from '../expiry.ts';
import { insertSignal } from '../feed/signals.ts';
import { assertOwner, whileOwned, type OwnedGroup } from '../groups/ownership.ts';
import { insertAuditEntry, type AuditAction, type AuditEntry } from '../store/audit.ts';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import type { NotificationStore } from '../store/store.ts';
import {
  countActiveKeys,
  endRotated,
  keyById,
  readKeys,
  revokeKeyAt,
  stillKey,
  stillRoom,
  updateKey,
} from './key-queries.ts';
import type { Adapter } from './key-prefix.ts';
import type { KeyRow } from './key-queries.ts';
import { ACTIVE_KEYS_MAX } from './key-limits.ts';
import { keyFrom, newKey, judgeKeyState, type IssuedKey, type Key } from './key-record.ts';
import type { KeyListSchema } from './key-schema.ts';

const MS_PER_HOUR = 3_600_000;

export interface KeyDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
}

export type { IssuedKey, Key } from './key-record.ts';

export interface OwnedKey extends OwnedGroup {
  readonly keyId: string;
}

/** @throws Problem `not_found`, `owner_only` */
export async function listKeys(
  { store, clock }: KeyDeps,
  page: OwnedGroup & { readonly after?: string | undefined; readonly limit: number },
): Promise<Static<typeof KeyListSchema>> {
  const { groupId, after, limit } = page;
  await assertOwner(store.reader, page);
  const nowMs = clock.nowMs();
  const found = await readKeys(store.reader, { groupId, after, limit: limit + 1 });
  const { rows, last } = cutPage(found, limit);
  return { items: rows.map((row) => keyFrom(row, nowMs)), next: last?.id ?? null };
}

/**
 * @param values `expiresAt` as requests say it
 * @throws Problem `not_found`, `owner_only`, `fields_invalid`, `limit_reached`
 */
export async function issueKey(
  { store, clock }: KeyDeps,
  owned: OwnedGroup,
  values: {
    readonly name: string;
    readonly expiresAt: string | null;
    /** Absent: a key of the interface. */
    readonly adapter?: Adapter | undefined;
  },
): Promise<IssuedKey> {
  const { actor, groupId } = owned;
  const { name, adapter = null } = values;
  return await changePlanned(store, async () => {
    await assertOwner(store.reader, owned);
    const nowMs = clock.nowMs();
    await assertRoom(store.reader, { groupId, nowMs });
    const made = newKey({
      groupId,
      name,
      adapter,
      createdBy: actor.accountId,
      nowMs,
      expiresAt: computeExpiry(values.expiresAt, nowMs),
    });
    return {
      guard: whileOwned(
        { ownerId: actor.accountId, groupId },
        stillRoom({ groupId, nowMs, keysMax: ACTIVE_KEYS_MAX }),
      ),
      statements: [
        made.insert,
        insertEntry(
          'key_issued',
          { ...owned, keyId: made.row.id, at: nowMs },
          { name, ...(adapter === null ? {} : { adapter }) },
        ),
      ],
      result: { ...keyFrom(made.row, nowMs), key: made.token },
    };
  });
}

/**
 * Names a key, or moves its end.
 * @param values what is undefined stays
 * @throws Problem `not_found`, `owner_only`, `fields_invalid`; `conflict` for a key that has ended, and
 * for the end of one that was rotated
 */
export async function changeKey(
  { store, clock }: KeyDeps,
  owned: OwnedKey,
  values: { readonly name?: string | undefined; readonly expiresAt?: string | null | undefined },
): Promise<Key> {
  const { actor, groupId, keyId } = owned;
  return await changePlanned(store, async () => {
    const key = await getKey(store.reader, owned);
    const nowMs = clock.nowMs();
    assertActive(key, nowMs);
    if (values.expiresAt !== undefined && key.rotatedTo !== null) {
      throw new Problem(
        'conflict',
        'The key was rotated, which says when it ends: revoke it to end it earlier',
      );
    }
    const { expiresAt: expiry } = values;
    const wanted = {
      ...key,
      name: values.name ?? key.name,
      expiresAt: expiry === undefined ? key.expiresAt : computeExpiry(expiry, nowMs),
    };
    const details = {
      ...(wanted.name === key.name ? {} : { name: wanted.name }),
      ...(wanted.expiresAt === key.expiresAt
        ? {}
        : { expires_at: instantTextOrNull(wanted.expiresAt) }),
    };
    const result = keyFrom(wanted, nowMs);
    if (Object.keys(details).length === 0) return { result };
    return {
      guard: whileOwned({ ownerId: actor.accountId, groupId }, stillKey(key)),
      statements: [
        updateKey(keyId, wanted),
        insertEntry('key_changed', { ...owned, at: nowMs }, details),
        ...signalProcesses({ groupId, keyId, at: nowMs }),
      ],
      result,
    };
  });
}

export interface RotatedKey {
  readonly issued: IssuedKey;
  readonly old: Key;
}

/**
 * Issues a key in place of another, under its name and for as long as that one was to live; the old one
 * stays valid for a while.
 * @throws Problem `not_found`, `owner_only`, `limit_reached`; `conflict` for a key that has ended or was
 * rotated before
 */
export async function rotateKey(
  { store, clock }: KeyDeps,
  owned: OwnedKey & { readonly overlapHours: number },
): Promise<RotatedKey> {
  const { actor, groupId, keyId, overlapHours } = owned;
  return await changePlanned(store, async () => {
    const key = await getKey(store.reader, owned);
    const nowMs = clock.nowMs();
    assertActive(key, nowMs);
    if (key.rotatedTo !== null) {
      throw new Problem('conflict', `The key was rotated already: rotate ${key.rotatedTo} instead`);
    }
    // At no overlap the new key takes the place that the old one leaves.
    const isBeside = overlapHours > 0;
    if (isBeside) await assertRoom(store.reader, { groupId, nowMs });
    const made = newKey({
      groupId,
      name: key.name,
      adapter: key.adapter,
      createdBy: actor.accountId,
      nowMs,
      expiresAt: key.expiresAt === null ? null : nowMs + key.expiresAt - key.createdAt,
    });
    const expiresAt = Math.min(nowMs + overlapHours * MS_PER_HOUR, key.expiresAt ?? Infinity);
    const room = { groupId, nowMs, keysMax: ACTIVE_KEYS_MAX + (isBeside ? 0 : 1) };
    return {
      guard: whileOwned({ ownerId: actor.accountId, groupId }, stillKey(key), stillRoom(room)),
      statements: [
        made.insert,
        endRotated(keyId, { rotatedTo: made.row.id, expiresAt }),
        insertEntry(
          'key_rotated',
          { ...owned, at: nowMs },
          { name: key.name, rotated_to: made.row.id, overlap_hours: overlapHours },
        ),
        ...signalProcesses({ groupId, keyId, at: nowMs }),
      ],
      result: {
        issued: { ...keyFrom(made.row, nowMs), key: made.token },
        old: keyFrom({ ...key, rotatedTo: made.row.id, expiresAt }, nowMs),
      },
    };
  });
}

/**
 * Ends a key; one that is revoked already stays so.
 * @throws Problem `not_found`, `owner_only`
 */
export async function revokeKey({ store, clock }: KeyDeps, owned: OwnedKey): Promise<Key> {
  const { actor, groupId, keyId } = owned;
  return await changePlanned(store, async () => {
    const key = await getKey(store.reader, owned);
    const nowMs = clock.nowMs();
    if (key.revokedAt !== null) return { result: keyFrom(key, nowMs) };
    return {
      guard: whileOwned({ ownerId: actor.accountId, groupId }, stillKey(key)),
      statements: [
        revokeKeyAt(keyId, nowMs),
        insertEntry('key_revoked', { ...owned, at: nowMs }, { name: key.name }),
        ...signalProcesses({ groupId, keyId, at: nowMs }),
      ],
      result: keyFrom({ ...key, revokedAt: nowMs }, nowMs),
    };
  });
}

/**
 * The group of a key, for the operator, who names keys alone.
 * @throws Problem `not_found`
 */
export async function groupOfKey(reader: DatabaseReader, keyId: string): Promise<string> {
  const key = await keyById(reader, keyId);
  if (key === undefined) throw noSuchKey();
  return key.groupId;
}

async function getKey(reader: DatabaseReader, owned: OwnedKey): Promise<KeyRow> {
  await assertOwner(reader, owned);
  const key = await keyById(reader, owned.keyId);
  if (key?.groupId !== owned.groupId) throw noSuchKey();
  return key;
}

function noSuchKey(): Problem {
  return new Problem('not_found', 'The group has no such key');
}

function assertActive(key: KeyRow, nowMs: number): void {
  const state = judgeKeyState(key, nowMs);
  if (state === 'active') return;
  throw new Problem('conflict', `The key has ended (${state}): issue another one`);
}

async function assertRoom(
  reader: DatabaseReader,
  group: { readonly groupId: string; readonly nowMs: number },
): Promise<void> {
  if ((await countActiveKeys(reader, group)) < ACTIVE_KEYS_MAX) return;
  throw new Problem(
    'limit_reached',
    `A group has at most ${ACTIVE_KEYS_MAX} active keys: revoke one first, or rotate one without overlap`,
  );
}

function insertEntry(
  action: AuditAction,
  { actor, groupId, keyId, at }: OwnedKey & { readonly at: number },
  details: AuditEntry['details'],
) {
  return insertAuditEntry({ at, actor, action, groupId, subject: keyId, details });
}

function signalProcesses({
  groupId,
  keyId,
  at,
}: {
  readonly groupId: string;
  readonly keyId: string;
  readonly at: number;
}) {
  return insertSignal({ kind: 'key', groupId, accountId: null, detail: { keyId }, at });
}
