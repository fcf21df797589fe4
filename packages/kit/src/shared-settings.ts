// Settings that mean the same to every service: where it listens, where its data is, under which address
// people reach it, which proxies it trusts, and what it logs.
import { resolve } from 'node:path';
import type { SettingsReader } from './settings.ts';

export interface SharedSettings {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** As people reach the service, without a slash at the end. */
  readonly publicUrl: string;
  /** Whether an operator has set the public address; otherwise it is where the service listens. */
  readonly isPublicUrlSet: boolean;
  /** Proxies that may name the client's address. */
  readonly trustProxy: readonly string[];
  readonly logLevel: LogLevel;
  /** Connections at a time; undefined: as many as the descriptors of the process allow. */
  readonly connectionsMax: number | undefined;
  /** What `/metrics` is read with; undefined: there is none. */
  readonly metricsToken: string | undefined;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const PORT_DEFAULT = 8_000;
const PORT_MAX = 65_535;
/** What no machine has descriptors for. */
const CONNECTIONS_MAX = 1_000_000_000;
/** A shorter one could be guessed. */
const METRICS_TOKEN_FORM = /^[\x21-\x7e]{24,512}$/;
const POSTGRES_URL_RIGHT = 'an address such as postgresql://user:password@host:5432/database';
const PROXY_FORM = /^(loopback|linklocal|uniquelocal|[0-9a-fA-F.:]+(\/\d{1,3})?)$/;

/** What is wrong is noted by the reader. */
export function readSharedSettings(reader: SettingsReader): SharedSettings {
  const host = reader.text('HOST', '127.0.0.1');
  const port = reader.integer('PORT', PORT_DEFAULT, { min: 0, max: PORT_MAX });
  const publicUrl = reader.checkedText(
    'PUBLIC_URL',
    (url) => URL.canParse(url) && /^https?:\/\//.test(url),
    'an address such as https://trace.example.com',
  );
  return {
    host,
    port,
    dataDir: resolve(reader.text('DATA_DIR', './data')),
    isPublicUrlSet: publicUrl !== undefined,
    publicUrl: (publicUrl ?? `http://${host}:${port}`).replace(/\/+$/, ''),
    trustProxy: readAddressList(reader, 'TRUST_PROXY', (entry) => PROXY_FORM.test(entry)),
    logLevel: reader.oneOf('LOG_LEVEL', 'info', LOG_LEVELS),
    metricsToken: reader.checkedText(
      'METRICS_TOKEN',
      (token) => METRICS_TOKEN_FORM.test(token),
      '24 to 512 visible ASCII characters',
    ),
    connectionsMax: reader.integer('MAX_CONNECTIONS', undefined, { min: 1, max: CONNECTIONS_MAX }),
  };
}

/** `postgresql://user:password@host:port/database`; undefined when it is not set. */
export function readPostgresUrl(reader: SettingsReader, name: string): string | undefined {
  return reader.checkedText(name, isPostgresUrl, POSTGRES_URL_RIGHT);
}

/** Addresses or ranges, separated by commas. */
export function readAddressList(
  reader: SettingsReader,
  name: string,
  isRight: (entry: string) => boolean,
): readonly string[] {
  const list = reader.checkedText(
    name,
    (text) => text.split(',').every((entry) => isRight(entry.trim())),
    'addresses or ranges such as 10.0.0.0/8, separated by commas',
  );
  return (list ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** A password that is not percent-encoded may leave its end in the path: never let that be a name. */
function isPostgresUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, pathname } = new URL(url);
  return /^postgres(ql)?:$/.test(protocol) && pathname.length > 1 && !pathname.includes('@');
}
