// What the managers of webhooks may change, and what is written for it.
import type { Sql } from 'sql-template-tag';
import type { DeliveryStatus } from '../outbox/status.ts';
import { beginAnew } from '../outbox/failure-queries.ts';
import { updateWebhook, whileSet } from './webhook-queries.ts';
import type { StoredWebhook, WebhookSettings, WebhookTables } from './webhook-queries.ts';

/** What is not given stays. */
type GivenSettings = {
  readonly [Name in keyof WebhookSettings]?:
    (Name extends 'status' ? 'active' | 'paused' : WebhookSettings[Name]) | undefined;
};

type Details = Readonly<Record<string, string>>;

export interface SettingsChange {
  /** For the audit: the settings that change, or nothing. */
  readonly details: Details;
  readonly guard: Sql;
  readonly statements: readonly Sql[];
  /** Whether it sends from here on what it did not before. */
  readonly beginsToSend: boolean;
}

/** @param nameFilter as the audit of the service says it */
export function changeSettings(
  tables: WebhookTables,
  { old, given }: { readonly old: StoredWebhook; readonly given: GivenSettings },
  nameFilter: (filter: string) => Details,
): SettingsChange {
  const { name = old.name, url = old.url, filter = old.filter, status = old.status } = given;
  const isAnew = url !== old.url || status !== old.status;
  return {
    details: {
      ...(name === old.name ? {} : { name }),
      // Only the host, because the rest may be a secret.
      ...(url === old.url ? {} : { host: new URL(url).host }),
      ...(filter === old.filter ? {} : nameFilter(filter)),
      ...(status === old.status ? {} : { status }),
    },
    guard: whileSet(tables, old.id, old),
    statements: [
      updateWebhook(tables, old.id, { name, url, filter, status }),
      ...(isAnew ? [beginAnew(tables, old.id)] : []),
    ],
    beginsToSend: isAnew && status === 'active',
  };
}

/** Why nothing can be sent to a webhook now; undefined: it can. */
export function whyNotSent(webhook: Pick<StoredWebhook, 'status'>): string | undefined {
  return webhook.status === 'active'
    ? undefined
    : 'The webhook sends nothing: make it active again first';
}

/** Why a delivery cannot be sent again now; undefined: it can. */
export function whyNotSentAgain(
  delivery: { readonly status: DeliveryStatus },
  webhook: Pick<StoredWebhook, 'status'>,
): string | undefined {
  return delivery.status === 'pending' ? 'The delivery is still being tried' : whyNotSent(webhook);
}
