// The settings of the notification service: the only file of it that reads the environment. Each is
// described in docs/notifications/operating.md.
import { SettingsReader } from '@lothub/kit/settings';
import { readAddressList, readPostgresUrl, readSharedSettings } from '@lothub/kit/shared-settings';
import type { SharedSettings } from '@lothub/kit/shared-settings';
import { EMAIL_LENGTH_MAX, EMAIL_PATTERN } from '@lothub/people/access/email';
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  findPasswordProblem,
} from '@lothub/people/passwords/password-rules';
import { readPeopleSettings, type PeopleSettings } from '@lothub/people/settings';
import { KEY_PREFIX } from './keys/key-prefix.ts';
import { NAME_MAX, NAME_PATTERN } from '@lothub/kit/http/schemas/name-pattern';
import { readMailSettings, type MailSettings } from '@lothub/delivery/mail/settings';
import { readPushContact } from '@lothub/delivery/push/settings';
import { isAddressRange } from '@lothub/delivery/sending/address-rules';

export interface Settings extends SharedSettings, PeopleSettings {
  /** `postgresql://…`; undefined: a SQLite file in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Used only while no account exists (docs/interface/notifications.md#set-up). */
  readonly firstOwner: FirstOwner | undefined;
  readonly rates: Rates;
  /** Streams that one person may have open at a time, in each process. */
  readonly streamsPerPerson: number;
  /** Addresses and ranges that webhooks may go to although they are private. */
  readonly webhookAllowed: readonly string[];
  /** undefined: no mail is sent. */
  readonly mail: MailSettings | undefined;
  /** Whom operators of push services write to, `mailto:` or `https:`; undefined: the public address. */
  readonly pushContact: string | undefined;
}

export interface FirstOwner {
  readonly email: string;
  readonly password: string;
  readonly group: string;
  readonly apiKey: string | undefined;
}

/** A burst of 0 turns a limit off. */
export interface Rates {
  readonly keyBurst: number;
  readonly keyPerSecond: number;
  readonly failedKeyBurst: number;
  readonly failedKeyPerMinute: number;
  /** Requests of a person, by session or token. */
  readonly personBurst: number;
  readonly personPerSecond: number;
}

const RATE_MAX = 1_000_000_000;
const STREAMS_DEFAULT = 20;
const STREAMS_MAX = 1_000_000;
const EMAIL_FORM = new RegExp(EMAIL_PATTERN, 'u');
const NAME_FORM = new RegExp(NAME_PATTERN, 'u');
const PASSWORD_RIGHT =
  `${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters, ` +
  'and not what is guessed first, such as the e-mail';
/** docs/interface/notifications.md#set-up: any secret of 32 or more characters. */
const KEY_FORM = /^[\x21-\x7e]{32,512}$/;

/** What a header can hold. */
const SENT_KEY_FORM = /^[\x21-\x7e]{1,512}$/;

/**
 * @throws SettingsError naming every setting that is wrong
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const reader = new SettingsReader(environment);
  const shared = readSharedSettings(reader);
  // Without an address of its own, its tables are in the database of the other service, in a schema of their own.
  const databaseUrl =
    readPostgresUrl(reader, 'NOTIFICATIONS_DATABASE_URL') ??
    readPostgresUrl(reader, 'DATABASE_URL');
  const rate = (name: string, fallback: number): number =>
    reader.integer(name, fallback, { min: 0, max: RATE_MAX });
  const settings: Settings = {
    ...shared,
    ...readPeopleSettings(reader),
    databaseUrl,
    firstOwner: readFirstOwner(reader),
    rates: {
      keyBurst: rate('NOTIFICATIONS_RATE_KEY_BURST', 100),
      keyPerSecond: rate('NOTIFICATIONS_RATE_KEY_PER_SECOND', 10),
      failedKeyBurst: rate('NOTIFICATIONS_RATE_FAILED_KEY_BURST', 30),
      failedKeyPerMinute: rate('NOTIFICATIONS_RATE_FAILED_KEY_PER_MINUTE', 1),
      personBurst: rate('NOTIFICATIONS_RATE_PERSON_BURST', 300),
      personPerSecond: rate('NOTIFICATIONS_RATE_PERSON_PER_SECOND', 20),
    },
    streamsPerPerson: reader.integer('NOTIFICATIONS_STREAMS_PER_PERSON', STREAMS_DEFAULT, {
      min: 1,
      max: STREAMS_MAX,
    }),
    webhookAllowed: readAddressList(reader, 'NOTIFICATIONS_WEBHOOK_ALLOW', isAddressRange),
    mail: readMailSettings(reader),
    pushContact: readPushContact(reader),
  };
  reader.done();
  return settings;
}

/**
 * The key of `lothub notify`, which needs no other setting.
 * @throws SettingsError
 */
export function readNotifyKey(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string | undefined {
  const reader = new SettingsReader(environment);
  const key = reader.checkedText(
    'LOTHUB_NOTIFY_KEY',
    (text) => SENT_KEY_FORM.test(text),
    'the key of a group',
  );
  reader.done();
  return key;
}

function readFirstOwner(reader: SettingsReader): FirstOwner | undefined {
  const email = reader.checkedText(
    'NOTIFICATIONS_OWNER_EMAIL',
    (text) => EMAIL_FORM.test(text) && text.length <= EMAIL_LENGTH_MAX,
    'an e-mail address',
  );
  const password = reader.checkedText(
    'NOTIFICATIONS_OWNER_PASSWORD',
    (text) => findPasswordProblem(text, { email: email ?? '', pointer: '' }) === undefined,
    PASSWORD_RIGHT,
  );
  const group = reader.checkedText(
    'NOTIFICATIONS_GROUP',
    (text) => NAME_FORM.test(text) && [...text].length <= NAME_MAX,
    `a name of at most ${NAME_MAX} characters`,
  );
  const apiKey = reader.checkedText(
    'NOTIFICATIONS_API_KEY',
    (text) => KEY_FORM.test(text) && !text.startsWith(KEY_PREFIX),
    `32 to 512 visible ASCII characters that do not begin with ${KEY_PREFIX}`,
  );
  if (email === undefined && password === undefined) {
    const alone = group !== undefined || apiKey !== undefined;
    if (alone) reader.reject('NOTIFICATIONS_OWNER_EMAIL', 'the e-mail of the owner of the group');
    return undefined;
  }
  if (email === undefined) reader.reject('NOTIFICATIONS_OWNER_EMAIL', 'it with the password');
  if (password === undefined) reader.reject('NOTIFICATIONS_OWNER_PASSWORD', 'it with the e-mail');
  if (email === undefined || password === undefined) return undefined;
  return { email, password, group: group ?? 'Notifications', apiKey };
}
