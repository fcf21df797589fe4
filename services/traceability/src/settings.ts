// The settings of the traceability service: the only file that reads the environment. Each is
// described in docs/operating.md.
import { resolve } from 'node:path';
import { isKeyName } from '@lothub/chain/log';
import { SettingsReader } from '@lothub/kit/settings';
import { readAddressList, readPostgresUrl, readSharedSettings } from '@lothub/kit/shared-settings';
import type { SharedSettings } from '@lothub/kit/shared-settings';
import { readPeopleSettings, type PeopleSettings } from '@lothub/people/settings';
import { readWitnessSettings, type WitnessSettings } from '@lothub/witness/settings';
import { readMailSettings, type MailSettings } from '@lothub/delivery/mail/settings';
import { isAddressRange } from '@lothub/delivery/sending/address-rules';
import type { LogSettings } from './ledger/log/log-identity.ts';
import { logKeyFile } from './ledger/log/log-key.ts';

export interface Settings extends SharedSettings, PeopleSettings {
  /** `postgresql://…` of the database that holds the hub; undefined: a SQLite file in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A standby of it that answers reads as soon as it is not behind. */
  readonly databaseReadUrl: string | undefined;
  readonly tenantApiKey: string | undefined;
  readonly adminApiKey: string | undefined;
  readonly hubName: string;
  /** Whether people work on the service: what only they need is served, too. */
  readonly isDevelopment: boolean;
  /** Requests a minute; 0 turns the limit off. */
  readonly rateLimitV1: number;
  readonly rateLimitPublic: number;
  readonly rateLimitPages: number;
  readonly rateLimitLog: number;
  /** The log over the chain; undefined: it is off. */
  readonly log: LogSettings | undefined;
  /** The witnesses that are asked, and how many must cosign (C2SP tlog-policy); undefined: none. */
  readonly witnessPolicyFile: string | undefined;
  /** The witness that the hub itself is for other logs; undefined: it is none. */
  readonly witnessServer: WitnessSettings | undefined;
  /** Of the service that stamps one checkpoint a day (RFC 3161); undefined: none. */
  readonly tsaUrl: string | undefined;
  /** How often the witnesses are asked while the log grows. */
  readonly witnessIntervalMs: number;
  /** Addresses and ranges that webhooks may go to although they are private. */
  readonly webhookAllowed: readonly string[];
  /** The server that mails go out by, the same for both services; undefined: none. */
  readonly mail: MailSettings | undefined;
  /** Whether people can ask on public pages to be notified of recalls. */
  readonly isWatchOn: boolean;
}

const RATE_V1_DEFAULT = 120;
const RATE_PUBLIC_DEFAULT = 60;
/** Pages for one of JSON: a shop's Wi-Fi or a carrier's network is one address, with many people behind it. */
const PAGES_PER_PUBLIC = 10;
/** A monitor reads 256 blocks with two requests: so it catches up with a third of a million in a minute. */
const RATE_LOG_DEFAULT = 3_000;
const RATE_MAX = 1_000_000_000;
/** A shorter key could be guessed; 24 characters of base64 hold 144 bits. */
const KEY_LENGTH_MIN = 24;
const KEY_FORM = /^[\x21-\x7e]{24,512}$/;
const HUB_NAME_MAX = 200;
/** Rule of the witness network: a log that asks every 10 s has a rate of 8,640 a day. */
const WITNESS_INTERVAL_DEFAULT_SECONDS = 10;
const WITNESS_INTERVAL_MAX_SECONDS = 3_600;
const MS_PER_SECOND = 1_000;
const ON_OR_OFF = ['on', 'off'] as const;

/**
 * @throws SettingsError naming every setting that is wrong
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const reader = new SettingsReader(environment);
  const shared = readSharedSettings(reader);
  const keyRight = `at least ${KEY_LENGTH_MIN} visible ASCII characters`;
  const tenantApiKey = reader.checkedText('TENANT_API_KEY', (key) => KEY_FORM.test(key), keyRight);
  const adminApiKey = reader.checkedText('ADMIN_API_KEY', (key) => KEY_FORM.test(key), keyRight);
  if (tenantApiKey !== undefined && tenantApiKey === adminApiKey) {
    reader.reject('ADMIN_API_KEY', 'a key other than TENANT_API_KEY');
  }
  const databaseUrl = readPostgresUrl(reader, 'DATABASE_URL');
  const databaseReadUrl = readPostgresUrl(reader, 'DATABASE_READ_URL');
  if (databaseReadUrl !== undefined && databaseUrl === undefined) {
    reader.reject('DATABASE_READ_URL', 'no value without DATABASE_URL, whose standby it names');
  }
  const rateLimitPublic = reader.integer('RATE_LIMIT_PUBLIC', RATE_PUBLIC_DEFAULT, {
    min: 0,
    max: RATE_MAX,
  });
  const witnessPolicyFile = reader.text('WITNESS_POLICY_FILE', '');
  const log = readLogSettings(reader, shared);
  const tsaUrl = reader.checkedText(
    'TSA_URL',
    isServiceUrl,
    'an address (http or https) without a user and a password',
  );
  if (tsaUrl !== undefined && log === undefined) {
    reader.reject('TSA_URL', 'no value with LOG=off, because there is nothing to stamp');
  }
  const settings: Settings = {
    ...shared,
    ...readPeopleSettings(reader),
    databaseUrl,
    databaseReadUrl,
    tenantApiKey,
    adminApiKey,
    hubName:
      reader.checkedText(
        'HUB_NAME',
        (name) => name.length <= HUB_NAME_MAX && name.isWellFormed() && !name.includes('\0'),
        `a name of at most ${HUB_NAME_MAX} characters`,
      ) ?? 'Lothub',
    isDevelopment: reader.text('NODE_ENV', '') === 'development',
    log,
    witnessPolicyFile: witnessPolicyFile === '' ? undefined : resolve(witnessPolicyFile),
    witnessServer: readWitnessSettings(reader),
    tsaUrl,
    witnessIntervalMs:
      MS_PER_SECOND *
      reader.integer('WITNESS_INTERVAL', WITNESS_INTERVAL_DEFAULT_SECONDS, {
        min: 1,
        max: WITNESS_INTERVAL_MAX_SECONDS,
      }),
    webhookAllowed: readAddressList(reader, 'WEBHOOK_ALLOW', isAddressRange),
    mail: readMailSettings(reader),
    isWatchOn: reader.oneOf('WATCH', 'on', ON_OR_OFF) === 'on',
    rateLimitV1: reader.integer('RATE_LIMIT_V1', RATE_V1_DEFAULT, { min: 0, max: RATE_MAX }),
    rateLimitPublic,
    rateLimitPages: reader.integer('RATE_LIMIT_PAGES', PAGES_PER_PUBLIC * rateLimitPublic, {
      min: 0,
      max: RATE_MAX,
    }),
    rateLimitLog: reader.integer('RATE_LIMIT_LOG', RATE_LOG_DEFAULT, { min: 0, max: RATE_MAX }),
  };
  reader.done();
  return settings;
}

/** Whether a text is an HTTP address that holds no user and no password. */
function isServiceUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, username, password } = new URL(url);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Undefined with `LOG=off`. What is wrong is noted by the reader. */
function readLogSettings(reader: SettingsReader, shared: SharedSettings): LogSettings | undefined {
  const isOn = reader.oneOf('LOG', 'on', ON_OR_OFF) === 'on';
  const origin = reader.checkedText(
    'LOG_ORIGIN',
    isKeyName,
    'a name of 1 to 255 bytes without white space and plus',
  );
  const key = reader.text('LOG_KEY', '');
  const keyFile = reader.text('LOG_KEY_FILE', '');
  if (key !== '' && keyFile !== '') {
    reader.reject('LOG_KEY_FILE', 'no value beside LOG_KEY, which holds the key itself');
  }
  if (!isOn) return undefined;
  return {
    origin,
    key: key === '' ? undefined : key,
    keyFile: keyFile === '' ? logKeyFile(shared.dataDir) : resolve(keyFile),
    publicUrl: shared.isPublicUrlSet ? shared.publicUrl : undefined,
    hasWitnesses: reader.text('WITNESS_POLICY_FILE', '') !== '',
  };
}
