// The settings of the traceability service: the only file that reads the environment. Each is
// described in docs/operating.md.
import { SettingsReader } from '@lothub/kit/settings';
import { readPostgresUrl, readSharedSettings } from '@lothub/kit/shared-settings';
import type { SharedSettings } from '@lothub/kit/shared-settings';

export interface Settings extends SharedSettings {
  /** `postgresql://…` of the database that holds the hub; undefined: a SQLite file in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A standby of it that answers reads as soon as it is not behind. */
  readonly databaseReadUrl: string | undefined;
  readonly tenantApiKey: string | undefined;
  readonly adminApiKey: string | undefined;
  readonly hubName: string;
  /** Requests a minute; 0 turns the limit off. */
  readonly rateLimitV1: number;
  readonly rateLimitPublic: number;
  readonly rateLimitPages: number;
}

const RATE_V1_DEFAULT = 120;
const RATE_PUBLIC_DEFAULT = 60;
/** Pages for one of JSON: a shop's Wi-Fi or a carrier's network is one address, with many people behind it. */
const PAGES_PER_PUBLIC = 10;
const RATE_MAX = 1_000_000_000;
/** A shorter key could be guessed; 24 characters of base64 hold 144 bits. */
const KEY_LENGTH_MIN = 24;
const KEY_FORM = /^[\x21-\x7e]{24,512}$/;
const HUB_NAME_MAX = 200;

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
  const settings: Settings = {
    ...shared,
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
    rateLimitV1: reader.integer('RATE_LIMIT_V1', RATE_V1_DEFAULT, { min: 0, max: RATE_MAX }),
    rateLimitPublic,
    rateLimitPages: reader.integer('RATE_LIMIT_PAGES', PAGES_PER_PUBLIC * rateLimitPublic, {
      min: 0,
      max: RATE_MAX,
    }),
  };
  reader.done();
  return settings;
}
