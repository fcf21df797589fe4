// Webhooks of a group: making, setting, rotating the secret and deleting them
// (docs/interface/notifications.md#webhooks). For its owners.
import { instantText, instantTextOrNull, type Clock } from '@lothub/kit/clock';
import type { Static } from 'typebox';
import { Problem } from '../../errors.ts';
import { assertOwner, whileOwned, type OwnedGroup } from '../../groups/ownership.ts';
import { insertAuditEntry, type AuditEntry } from '../../store/audit.ts';
import sql, { type Sql } from 'sql-template-tag';
import { newId } from '@lothub/kit/secrets/ids';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import type { NotificationStore } from '../../store/store.ts';
import { changeSettings } from '@lothub/delivery/webhook/changes';
import {
  WEBHOOKS_MAX,
  findWebhook,
  insertWebhook,
  markDeleted,
  readWebhooks,
  rotateSecret,
  whileKept,
  whileWebhooksBelow,
} from '@lothub/delivery/webhook/webhook-queries';
import type { AddressRules } from '@lothub/delivery/sending/address-rules';
import { newWebhookSecret } from '@lothub/delivery/sending/signature';
import { WEBHOOK_URL_RIGHT, webhookUrl } from '@lothub/delivery/sending/webhook-url';
import type { WebhookFormat } from '../formats/format.ts';
import { NTFY_URL_RIGHT, ntfyPlace } from '../formats/ntfy.ts';
import { OUTBOX } from '../outbox-queries.ts';
import { setAccessToken, type WebhookRow } from './queries.ts';
import type {
  CreatedWebhookSchema,
  NewWebhookSchema,
  RotatedSecretSchema,
  WebhookChangeSchema,
  WebhookListSchema,
  WebhookSchema,
} from './schema.ts';

export interface WebhookDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly addresses: AddressRules;
}

export interface OwnedWebhook extends OwnedGroup {
  readonly webhookId: string;
}

export type Webhook = Static<typeof WebhookSchema>;
export type CreatedWebhook = Static<typeof CreatedWebhookSchema>;

/** @throws Problem `not_found`, `owner_only` */
export async function listWebhooks(
  { store }: Pick<WebhookDeps, 'store'>,
  owned: OwnedGroup,
): Promise<Static<typeof WebhookListSchema>> {
  await assertOwner(store.reader, owned);
  const rows = await readAll(store, owned);
  return { items: rows.map((row) => webhookFrom(row, owned.groupId)), next: null };
}

/** @throws Problem `not_found`, `owner_only` */
export async function getWebhook(
  { store }: Pick<WebhookDeps, 'store'>,
  owned: OwnedWebhook,
): Promise<Webhook> {
  return webhookFrom(await getWebhookRow(store, owned), owned.groupId);
}

/** @throws Problem `not_found`, `owner_only`, `fields_invalid`, `limit_reached` */
export async function createWebhook(
  { store, clock, addresses }: WebhookDeps,
  owned: OwnedGroup & { readonly actor: { readonly accountId: string } },
  values: Static<typeof NewWebhookSchema>,
): Promise<CreatedWebhook> {
  const { actor, groupId } = owned;
  const { name, min_severity: filter = 'info', format = 'standard' } = values;
  const { access_token: accessToken = null } = values;
  const url = checkedUrl(values.url, addresses, format);
  assertTokenFits(format, accessToken);
  const webhookId = newId('whk');
  const secret = isSigned(format) ? newWebhookSecret() : null;
  const createdAt = clock.nowMs();
  await store.distribute();
  await changePlanned(store, async () => {
    await assertOwner(store.reader, owned);
    if ((await readAll(store, owned)).length >= WEBHOOKS_MAX) {
      throw new Problem(
        'limit_reached',
        `A group may have ${WEBHOOKS_MAX} webhooks: delete one first`,
      );
    }
    return {
      guard: whileStillOwned(
        owned,
        whileWebhooksBelow(OUTBOX, { groupId, webhooksMax: WEBHOOKS_MAX }),
      ),
      statements: [
        insertWebhook(OUTBOX, {
          ...{ webhookId, groupId, name, url: url.href, filter, createdAt },
          secret: secret ?? '',
          createdBy: actor.accountId,
          others: {
            columns: sql`format, access_token`,
            values: sql`${format}, ${accessToken}`,
          },
        }),
        insertEntry({ ...owned, webhookId }, 'webhook_created', createdAt, {
          name,
          host: url.host,
          ...nameFilter(filter),
          ...(format === 'standard' ? {} : { format }),
        }),
      ],
      result: undefined,
    };
  });
  return { ...(await getWebhook({ store }, { ...owned, webhookId })), secret };
}

/**
 * Sets what is given and leaves the rest.
 * @throws Problem `not_found`, `owner_only`, `fields_invalid`
 */
export async function changeWebhook(
  { store, clock, addresses }: WebhookDeps,
  owned: OwnedWebhook,
  values: Static<typeof WebhookChangeSchema>,
): Promise<Webhook> {
  const { webhookId } = owned;
  const { name, min_severity: filter, status, access_token: accessToken } = values;
  await store.distribute();
  await changePlanned(store, async () => {
    const old = await getWebhookRow(store, owned);
    const url =
      values.url === undefined ? undefined : checkedUrl(values.url, addresses, old.format).href;
    assertTokenFits(old.format, accessToken ?? null);
    const change = changeSettings(
      OUTBOX,
      { old, given: { name, url, filter, status } },
      nameFilter,
    );
    const details = {
      ...change.details,
      ...(accessToken === undefined ? {} : { access_token: accessToken === null ? 'none' : 'set' }),
    };
    if (Object.keys(details).length === 0) return { result: undefined };
    return {
      guard: whileStillOwned(owned, change.guard),
      statements: [
        ...change.statements,
        ...(accessToken === undefined ? [] : [setAccessToken(webhookId, accessToken)]),
        insertEntry(owned, 'webhook_changed', clock.nowMs(), details),
      ],
      result: undefined,
    };
  });
  return await getWebhook({ store }, owned);
}

/**
 * The secret so far signs as well for a day; the one before it does not any more.
 * @throws Problem `not_found`, `owner_only`; `conflict` for a format that is not signed
 */
export async function rotateWebhookSecret(
  { store, clock }: Pick<WebhookDeps, 'store' | 'clock'>,
  owned: OwnedWebhook,
): Promise<Static<typeof RotatedSecretSchema>> {
  const { webhookId } = owned;
  const { secret, previousUntil } = await changePlanned(store, async () => {
    const { format } = await getWebhookRow(store, owned);
    if (!isSigned(format)) {
      throw new Problem('conflict', `What is sent as ${format} is not signed: there is no secret`);
    }
    const at = clock.nowMs();
    const { statement, rotated } = rotateSecret(OUTBOX, { webhookId, at });
    return {
      guard: whileStillOwned(owned, whileKept(OUTBOX, webhookId)),
      statements: [statement, insertEntry(owned, 'webhook_secret_rotated', at, {})],
      result: rotated,
    };
  });
  return { secret, previous_secret_until: instantText(previousUntil) };
}

/** @throws Problem `not_found`, `owner_only` */
export async function deleteWebhook(
  { store, clock }: Pick<WebhookDeps, 'store' | 'clock'>,
  owned: OwnedWebhook,
): Promise<void> {
  const { webhookId } = owned;
  await changePlanned(store, async () => {
    const { name } = await getWebhookRow(store, owned);
    return {
      guard: whileStillOwned(owned, whileKept(OUTBOX, webhookId)),
      statements: [
        markDeleted(OUTBOX, webhookId),
        setAccessToken(webhookId, null),
        insertEntry(owned, 'webhook_deleted', clock.nowMs(), { name }),
      ],
      result: undefined,
    };
  });
}

/** @throws Problem `not_found`, `owner_only` */
export async function getWebhookRow(
  { reader }: Pick<NotificationStore, 'reader'>,
  owned: OwnedWebhook,
): Promise<WebhookRow> {
  await assertOwner(reader, owned);
  const row = await findWebhook<WebhookRow>(OUTBOX, reader, owned);
  if (row === undefined) throw new Problem('not_found', 'The group has no such webhook');
  return row;
}

function readAll(
  { reader }: Pick<NotificationStore, 'reader'>,
  { groupId }: OwnedGroup,
): Promise<readonly WebhookRow[]> {
  return readWebhooks<WebhookRow>(OUTBOX, reader, { groupId, limit: WEBHOOKS_MAX });
}

/** A guard: the group still has this owner, and another guard holds. */
export function whileStillOwned({ actor, groupId }: OwnedGroup, held: Sql): Sql {
  return whileOwned({ ownerId: actor.accountId, groupId }, sql`and exists (${held})`);
}

/** Whether receivers of a format check signatures. */
export function isSigned(format: WebhookFormat): boolean {
  return format === 'standard';
}

function checkedUrl(text: string, addresses: AddressRules, format: WebhookFormat): URL {
  const url = webhookUrl(text, addresses);
  if (url === undefined) throw wrongUrl(WEBHOOK_URL_RIGHT);
  if (format === 'ntfy' && ntfyPlace(url) === undefined) throw wrongUrl(NTFY_URL_RIGHT);
  return url;
}

function wrongUrl(limit: string): Problem {
  return new Problem('fields_invalid', 'The address is not one that webhooks may have', {
    fields: [{ pointer: '/url', code: 'wrong_form', limit, actual: null }],
  });
}

function assertTokenFits(format: WebhookFormat, accessToken: string | null): void {
  if (accessToken === null || format === 'ntfy') return;
  throw new Problem('fields_invalid', 'An access token is for ntfy alone', {
    fields: [
      {
        pointer: '/access_token',
        code: 'wrong_form',
        limit: 'absent: it is for ntfy',
        actual: null,
      },
    ],
  });
}

function nameFilter(minSeverity: string) {
  return { min_severity: minSeverity };
}

/** Of the audit. */
export function insertEntry(
  { actor, groupId, webhookId }: OwnedWebhook,
  action: AuditEntry['action'],
  at: number,
  details: AuditEntry['details'],
) {
  return insertAuditEntry({ at, actor, action, groupId, subject: webhookId, details });
}

function webhookFrom(row: WebhookRow, groupId: string): Webhook {
  return {
    id: row.id,
    group_id: groupId,
    name: row.name,
    url: row.url,
    min_severity: row.filter,
    format: row.format,
    has_access_token: row.hasAccessToken === 1,
    status: row.status,
    disabled_reason: row.disabledReason,
    failures: row.failures,
    failing_since: instantTextOrNull(row.failingSince),
    previous_secret_until: instantTextOrNull(row.previousUntil),
    created_by: row.createdBy,
    created_at: instantText(row.createdAt),
  };
}
