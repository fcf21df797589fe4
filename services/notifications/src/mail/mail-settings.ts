// What a person sets for mail: whether, from which severity on, and how often. The address is the account's.
import type { Mailer } from '@lothub/delivery/mail/mailer';
import { newId } from '@lothub/kit/secrets/ids';
import type { Clock } from '@lothub/kit/clock';
import type { Static } from 'typebox';
import type { SessionPerson } from '../access/person.ts';
import { Problem } from '../errors.ts';
import type { NotificationStore } from '../store/store.ts';
import {
  findReceiver,
  receiverOfPerson,
  readTimeZone,
  turnOff,
  turnOn,
} from './receiver-queries.ts';
import type { MailReceiverRow } from './receiver-queries.ts';
import { ZONE_DEFAULT } from './rhythm.ts';
import type { MailChange, MailSettingsSchema } from './schema.ts';

export interface MailDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
  /** undefined: the operator has configured no mail server, and no mail is sent. */
  readonly mailer: Mailer | undefined;
  readonly publicUrl: string;
  /** Signs the links that end mails. */
  readonly linkKey: string;
  /** Aborted when the service stops. */
  readonly stopping: AbortSignal;
}

type Person = Pick<SessionPerson, 'accountId' | 'email'>;
export type MailSettings = Static<typeof MailSettingsSchema>;

const NOT_SET_UP =
  'This inbox sends no mail: whoever operates it has to set SMTP_URL and MAIL_FROM first';
export const MAIL_IS_OFF = 'Mail is off: turn it on first';

/** The settings of a new person. */
const AT_FIRST = { minSeverity: 'critical', rhythm: 'at_once' } as const;

export async function getMailSettings(
  { store, mailer }: Pick<MailDeps, 'store' | 'mailer'>,
  { accountId, email }: Person,
): Promise<MailSettings> {
  const row = await receiverOfPerson(store.reader, accountId);
  const { minSeverity, rhythm } = row ?? AT_FIRST;
  return {
    available: mailer !== undefined,
    status: toStatus(row),
    disabled_reason: row?.status === 'disabled' ? row.disabledReason : null,
    address: email,
    min_severity: minSeverity,
    rhythm,
    time_zone: (await readTimeZone(store.reader, accountId)) ?? ZONE_DEFAULT,
  };
}

function toStatus(row: MailReceiverRow | undefined): MailSettings['status'] {
  if (row?.status === 'active') return 'on';
  return row?.status === 'disabled' ? 'disabled' : 'off';
}

/** @throws Problem `conflict` while no mail server is set */
export async function turnMailOn(
  deps: Pick<MailDeps, 'store' | 'mailer' | 'clock'>,
  person: Person,
  change: MailChange,
): Promise<MailSettings> {
  requireMailer(deps);
  const { min_severity: minSeverity, rhythm } = change;
  const { accountId } = person;
  const row = { id: newId('mr'), accountId, minSeverity, rhythm, createdAt: deps.clock.nowMs() };
  await deps.store.distribute();
  await deps.store.write([turnOn(row)]);
  return await getMailSettings(deps, person);
}

/** Again changes nothing. */
export async function turnMailOff(
  { store }: Pick<MailDeps, 'store'>,
  { accountId }: Person,
): Promise<void> {
  await store.distribute();
  const row = await receiverOfPerson(store.reader, accountId);
  if (row !== undefined) await store.write([turnOff(row.id)]);
}

/**
 * By the link of a mail. Again changes nothing.
 * @throws Problem `not_found` when there is no such receiver any more
 */
export async function turnReceiverOff(
  { store }: Pick<MailDeps, 'store'>,
  receiverId: string,
): Promise<void> {
  await getReceiver(store, receiverId);
  await store.distribute();
  await store.write([turnOff(receiverId)]);
}

/** @throws Problem `not_found` */
export async function getReceiver(
  { reader }: Pick<NotificationStore, 'reader'>,
  receiverId: string,
): Promise<MailReceiverRow> {
  const row = await findReceiver(reader, receiverId);
  if (row === undefined || row.status === 'deleted') throw noSuchLink();
  return row;
}

export function noSuchLink(): Problem {
  return new Problem(
    'not_found',
    'This link ends no mails: it is not whole, or its account is gone',
  );
}

/** @throws Problem `conflict` while no mail server is set */
export function requireMailer({ mailer }: Pick<MailDeps, 'mailer'>): Mailer {
  if (mailer === undefined) throw new Problem('conflict', NOT_SET_UP);
  return mailer;
}
