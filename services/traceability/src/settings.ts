// The settings of the traceability service: the only file that reads the environment. Each is
// described in docs/operating.md.
import { resolve } from 'node:path';
import { SettingsReader } from '@lothub/kit/settings';

export interface Settings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** `postgresql://…` of the database that holds the hub; undefined: a SQLite file in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** A standby of it that answers reads as soon as it is not behind. */
  readonly databaseReadUrl: string | undefined;
  readonly tenantApiKey: string | undefined;
  readonly adminApiKey: string | undefined;
  readonly hubName: string;
  readonly publicUrl: string;
  /** Requests a minute; 0 turns the limit off. */
  readonly rateLimitV1: number;
  readonly rateLimitPublic: number;
  readonly trustProxy: readonly string[];
  readonly logLevel: LogLevel;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const PORT_DEFAULT = 8_000;
const PORT_MAX = 65_535;
const RATE_V1_DEFAULT = 120;
const RATE_PUBLIC_DEFAULT = 60;
const RATE_MAX = 1_000_000_000;
/** A shorter key could be guessed; 24 characters of base64 hold 144 bits. */
const KEY_LENGTH_MIN = 24;
const KEY_FORM = /^[\x21-\x7e]{24,512}$/;
const HUB_NAME_MAX = 200;
const POSTGRES_URL_RIGHT = 'an address such as postgresql://user:password@host:5432/database';
const PROXY_FORM = /^(loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+(\/\d{1,3})?)$/;

/**
 * @throws SettingsError naming every setting that is wrong
 */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Settings {
  const reader = new SettingsReader(environment);
  const host = reader.text('HOST', '127.0.0.1');
  const port = reader.integer('PORT', PORT_DEFAULT, { min: 0, max: PORT_MAX });
  const keyRight = `at least ${KEY_LENGTH_MIN} visible ASCII characters`;
  const tenantApiKey = reader.checkedText('TENANT_API_KEY', (key) => KEY_FORM.test(key), keyRight);
  const adminApiKey = reader.checkedText('ADMIN_API_KEY', (key) => KEY_FORM.test(key), keyRight);
  if (tenantApiKey !== undefined && tenantApiKey === adminApiKey) {
    reader.reject('ADMIN_API_KEY', 'a key other than TENANT_API_KEY');
  }
  const databaseUrl = reader.checkedText('DATABASE_URL', isPostgresUrl, POSTGRES_URL_RIGHT);
  const databaseReadUrl = reader.checkedText(
    'DATABASE_READ_URL',
    isPostgresUrl,
    POSTGRES_URL_RIGHT,
  );
  if (databaseReadUrl !== undefined && databaseUrl === undefined) {
    reader.reject('DATABASE_READ_URL', 'no value without DATABASE_URL, whose standby it names');
  }
  const settings: Settings = {
    host,
    port,
    dataDir: resolve(reader.text('DATA_DIR', './data')),
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
    publicUrl: (
      reader.checkedText(
        'PUBLIC_URL',
        (url) => URL.canParse(url) && /^https?:\/\//.test(url),
        'an address such as https://trace.example.com',
      ) ?? `http://${host}:${port}`
    ).replace(/\/+$/, ''),
    rateLimitV1: reader.integer('RATE_LIMIT_V1', RATE_V1_DEFAULT, { min: 0, max: RATE_MAX }),
    rateLimitPublic: reader.integer('RATE_LIMIT_PUBLIC', RATE_PUBLIC_DEFAULT, {
      min: 0,
      max: RATE_MAX,
    }),
    trustProxy: (
      reader.checkedText(
        'TRUST_PROXY',
        (list) => list.split(',').every((entry) => PROXY_FORM.test(entry.trim())),
        'addresses or ranges such as 10.0.0.0/8, separated by commas',
      ) ?? ''
    )
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
    logLevel: reader.oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
  };
  reader.done();
  return settings;
}

/** A password that is not percent-encoded may leave its end in the path: never let that be a name. */
function isPostgresUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, pathname } = new URL(url);
  return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1 && !pathname.includes('@');
}
