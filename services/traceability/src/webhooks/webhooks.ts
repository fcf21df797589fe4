// Webhooks of a brand: making, setting, rotating the secret, testing and deleting them. For its managers.
import { instantText, type Clock } from '@lothub/kit/clock';
import { PeopleProblem } from '@lothub/people/errors';
import { newId } from '@lothub/kit/secrets/ids';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { changeSettings, whyNotSent } from '@lothub/delivery/webhook/changes';
import {
  WEBHOOKS_MAX,
  findWebhook,
  insertWebhook,
  markDeleted,
  readWebhooks,
  rotateSecret,
  whileKept,
  whileSet,
  whileWebhooksBelow,
} from '@lothub/delivery/webhook/webhook-queries';
import type { AddressRules } from '@lothub/delivery/sending/address-rules';
import { newWebhookSecret } from '@lothub/delivery/sending/signature';
import { WEBHOOK_URL_RIGHT, webhookUrl } from '@lothub/delivery/sending/webhook-url';
import sql from 'sql-template-tag';
import { FieldsRefusal, Refusal } from '../errors.ts';
import type { Caller } from '../ledger/draft.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { TEST_EVENT, WEBHOOK_EVENTS, type WebhookEvent } from '../ledger/webhooks/event-types.ts';
import { inboxUrl, keyOfInboxUrl, type Inbox } from './inbox.ts';
import { beginLooks } from './look-queries.ts';
import { OUTBOX, insertEntry } from './outbox.ts';
import { insertTest, type WebhookRow } from './queries.ts';

export const WEBHOOK_NAME_MAX = 100;

export interface WebhookDeps {
  readonly store: Pick<LedgerStore, 'change' | 'reader'>;
  readonly clock: Clock;
  readonly addresses: AddressRules;
}

type Deps = Pick<WebhookDeps, 'store' | 'clock'>;

export interface WebhookOwner {
  readonly tenantId: string;
  readonly caller: Caller;
}

export interface WebhookKey {
  readonly tenantId: string;
  readonly webhookId: string;
}

export type OwnedWebhook = WebhookOwner & WebhookKey;

export interface Webhook extends Omit<WebhookRow, 'filter'> {
  readonly eventTypes: readonly WebhookEvent[];
  /** Whether it is a group of the inbox: it has no address and no secret. */
  readonly isInbox: boolean;
}

export interface CreatedWebhook {
  readonly webhookId: string;
  /** Shown this once. */
  readonly secret: string;
}

export interface NewWebhookValues {
  readonly name: string;
  readonly eventTypes: readonly WebhookEvent[];
  /** The language of texts in a group of the inbox. */
  readonly language: string;
}

export async function listWebhooks(
  { store }: Pick<WebhookDeps, 'store'>,
  tenantId: string,
): Promise<readonly Webhook[]> {
  return (await readAll(store, tenantId)).map(webhookFrom);
}

function readAll(
  { reader }: Pick<LedgerStore, 'reader'>,
  tenantId: string,
): Promise<readonly WebhookRow[]> {
  const limit = WEBHOOKS_MAX;
  return readWebhooks<WebhookRow>(OUTBOX, reader, { groupId: tenantId, limit });
}

/** @throws Refusal `not_found` */
export async function getWebhook(
  { store }: Pick<WebhookDeps, 'store'>,
  key: WebhookKey,
): Promise<Webhook> {
  return webhookFrom(await getWebhookRow(store, key));
}

/** @throws FieldsRefusal; Refusal `rule_broken` when the brand has too many; DatabaseError as the store's */
export async function createWebhook(
  { addresses, ...deps }: WebhookDeps,
  owner: WebhookOwner,
  values: NewWebhookValues & { readonly url: string },
): Promise<CreatedWebhook> {
  const url = checkedUrl(values.url, addresses);
  const secret = newWebhookSecret();
  const webhookId = await insert(deps, owner, values, { url: url.href, secret, host: url.host });
  return { webhookId, secret };
}

/**
 * @param values.connect makes a key of a group, once all else is right; undefined: none could be made
 * @throws as `createWebhook`; PeopleProblem `limit_reached` when no key could be made
 */
export async function createInboxWebhook(
  deps: Deps,
  owner: WebhookOwner,
  values: NewWebhookValues & { readonly connect: () => Promise<string | undefined> },
): Promise<string> {
  checkedTypes(values.eventTypes);
  await assertRoom(deps.store, owner.tenantId);
  // A crash behind this leaves a key in the group that nothing posts with.
  const keyId = await values.connect();
  if (keyId === undefined) {
    throw new PeopleProblem('limit_reached', 'The group of the inbox gives no key');
  }
  return await insert(deps, owner, values, { url: inboxUrl(keyId), secret: '', host: 'inbox' });
}

/** @throws Refusal `rule_broken` */
async function assertRoom(store: Pick<LedgerStore, 'reader'>, tenantId: string): Promise<void> {
  if ((await readAll(store, tenantId)).length < WEBHOOKS_MAX) return;
  const message = `A brand may have ${WEBHOOKS_MAX} webhooks: delete one first`;
  throw new Refusal('rule_broken', message);
}

async function insert(
  { store, clock }: Deps,
  owner: WebhookOwner,
  values: NewWebhookValues,
  receiver: { readonly url: string; readonly secret: string; readonly host: string },
): Promise<string> {
  const { tenantId, caller } = owner;
  const name = checkedName(values.name);
  const filter = checkedTypes(values.eventTypes);
  const webhookId = newId('whk');
  const createdAt = clock.nowMs();
  await changePlanned(store, async () => {
    await assertRoom(store, tenantId);
    const { url, secret, host } = receiver;
    const groupId = tenantId;
    return {
      guard: whileWebhooksBelow(OUTBOX, { groupId, webhooksMax: WEBHOOKS_MAX }),
      statements: [
        ...beginLooks(),
        insertWebhook(OUTBOX, {
          ...{ webhookId, groupId, name, url, secret, filter, createdAt },
          createdBy: caller.actor,
          others: { columns: sql`language`, values: sql`${values.language}` },
        }),
        insertEntry(
          'make_webhook',
          { ...owner, webhookId, at: createdAt },
          { name, host, ...nameFilter(filter) },
        ),
      ],
      result: undefined,
    };
  });
  return webhookId;
}

/**
 * Sets what is given and leaves the rest.
 * @throws FieldsRefusal; Refusal `not_found`; DatabaseError as the store's
 */
export async function changeWebhook(
  { store, clock, addresses }: WebhookDeps,
  webhook: OwnedWebhook,
  values: {
    readonly name?: string;
    readonly url?: string;
    readonly eventTypes?: readonly WebhookEvent[];
    readonly status?: 'active' | 'paused';
  },
): Promise<void> {
  await changePlanned(store, async () => {
    const old = await getWebhookRow(store, webhook);
    const given = {
      name: values.name === undefined ? undefined : checkedName(values.name),
      // A group of the inbox has none.
      url:
        values.url !== undefined && keyOfInboxUrl(old.url) === undefined
          ? checkedUrl(values.url, addresses).href
          : undefined,
      filter: values.eventTypes === undefined ? undefined : checkedTypes(values.eventTypes),
      status: values.status,
    };
    const change = changeSettings(OUTBOX, { old, given }, nameFilter);
    if (Object.keys(change.details).length === 0) return { result: undefined };
    return {
      guard: change.guard,
      statements: [
        ...(change.beginsToSend ? beginLooks() : []),
        ...change.statements,
        insertEntry('change_webhook', { ...webhook, at: clock.nowMs() }, change.details),
      ],
      result: undefined,
    };
  });
}

/**
 * The secret so far signs as well for a day; the one before it does not any more.
 * @throws Refusal `not_found`; `rule_broken` for a group of the inbox; DatabaseError as the store's
 */
export async function rotateWebhookSecret(
  { store, clock }: Deps,
  webhook: OwnedWebhook,
): Promise<{ readonly secret: string; readonly previousUntil: number }> {
  const { webhookId } = webhook;
  return await changePlanned(store, async () => {
    const { url } = await getWebhookRow(store, webhook);
    if (keyOfInboxUrl(url) !== undefined) {
      throw new Refusal('rule_broken', 'A group of the inbox has no secret');
    }
    const at = clock.nowMs();
    const { statement, rotated } = rotateSecret(OUTBOX, { webhookId, at });
    return {
      guard: whileKept(OUTBOX, webhookId),
      statements: [statement, insertEntry('rotate_webhook', { ...webhook, at }, {})],
      result: rotated,
    };
  });
}

/**
 * It sends nothing from here on. The key of a group of the inbox is revoked first: a crash between the two leaves a
 * webhook that cannot post and can be deleted again, and never a key without its webhook.
 * @param webhook `person`: the person that the audit of the group names
 * @returns `key_left`: it is one of a group, whose inbox is not open in this process
 * @throws Refusal `not_found`; DatabaseError as the store's
 */
export async function deleteWebhook(
  { store, clock, inbox }: Deps & { readonly inbox: Inbox | undefined },
  webhook: OwnedWebhook & { readonly person: { readonly name: string } },
): Promise<'deleted' | 'disconnected' | 'key_left'> {
  const { webhookId, person } = webhook;
  const { url } = await getWebhookRow(store, webhook);
  const keyId = keyOfInboxUrl(url);
  const revoked = keyId === undefined ? undefined : await inbox?.disconnect({ person, keyId });
  await changePlanned(store, async () => {
    const { name } = await getWebhookRow(store, webhook);
    return {
      guard: whileKept(OUTBOX, webhookId),
      statements: [
        markDeleted(OUTBOX, webhookId),
        insertEntry('delete_webhook', { ...webhook, at: clock.nowMs() }, { name }),
      ],
      result: undefined,
    };
  });
  if (keyId === undefined) return 'deleted';
  return revoked === 'revoked' ? 'disconnected' : 'key_left';
}

/**
 * Sends a test message.
 * @throws Refusal `not_found`; `rule_broken` when it is not active; DatabaseError as the store's
 */
export async function testWebhook({ store, clock }: Deps, webhook: OwnedWebhook): Promise<void> {
  await changePlanned(store, async () => {
    const row = await getWebhookRow(store, webhook);
    const refused = whyNotSent(row);
    if (refused !== undefined) throw new Refusal('rule_broken', refused);
    const atMs = clock.nowMs();
    const { webhookId } = webhook;
    const test = { webhookId, id: `msg_${newId('evt')}_${webhookId}`, type: TEST_EVENT } as const;
    return {
      guard: whileSet(OUTBOX, webhookId, row),
      statements: [insertTest({ ...test, at: instantText(atMs), atMs })],
      result: undefined,
    };
  });
}

/** @throws Refusal `not_found` */
export async function getWebhookRow(
  { reader }: Pick<LedgerStore, 'reader'>,
  { tenantId, webhookId }: WebhookKey,
): Promise<WebhookRow> {
  const row = await findWebhook<WebhookRow>(OUTBOX, reader, { groupId: tenantId, webhookId });
  if (row === undefined) throw new Refusal('not_found', 'The brand has no such webhook');
  return row;
}

function checkedUrl(text: string, addresses: AddressRules): URL {
  const url = webhookUrl(text, addresses);
  if (url !== undefined) return url;
  throw FieldsRefusal.of(['body', 'url'], `Url should be ${WEBHOOK_URL_RIGHT}`, 'value_error');
}

function checkedName(text: string): string {
  const name = text.trim();
  const isRight = name !== '' && name.length <= WEBHOOK_NAME_MAX && !/\p{Cc}/u.test(name);
  if (isRight && name.isWellFormed()) return name;
  const message = `Name should be 1 to ${WEBHOOK_NAME_MAX} printable characters`;
  throw FieldsRefusal.of(['body', 'name'], message, 'string_pattern_mismatch');
}

/** As they are stored: in the order of the list, each between two spaces. */
function checkedTypes(types: readonly WebhookEvent[]): string {
  const wanted = WEBHOOK_EVENTS.filter((type) => types.includes(type));
  if (wanted.length > 0) return ` ${wanted.join(' ')} `;
  throw FieldsRefusal.of(['body', 'event_types'], 'At least one type', 'missing');
}

function nameFilter(filter: string) {
  return { event_types: filter.trim() };
}

function webhookFrom({ filter, ...row }: WebhookRow): Webhook {
  return {
    ...row,
    eventTypes: WEBHOOK_EVENTS.filter((type) => filter.includes(` ${type} `)),
    isInbox: keyOfInboxUrl(row.url) !== undefined,
  };
}
