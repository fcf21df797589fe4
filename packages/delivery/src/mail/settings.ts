// The settings of mail, the same for both services. Each is described in docs/notifications/operating.md.
import type { SettingsReader } from '@lothub/kit/settings';

/** `tls`: from the first byte. `starttls`: required before anything else. `none`: no encryption. */
export type MailEncryption = 'tls' | 'starttls' | 'none';

export interface MailSettings {
  readonly host: string;
  readonly port: number;
  readonly encryption: MailEncryption;
  /** undefined: the server lets this machine in without. */
  readonly login: { readonly user: string; readonly password: string } | undefined;
  readonly from: MailAddress;
}

export interface MailAddress {
  /** Shown beside the address; '' when there is none. */
  readonly name: string;
  readonly address: string;
}

const PORT_MAX = 65_535;
/** RFC 6409, section 3.1. */
const SUBMISSION_PORT = 587;
/** RFC 8314, section 3.3. */
const SUBMISSIONS_PORT = 465;
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;
/** What `?tls=` of an `smtp:` address may say. */
const ENCRYPTIONS: Readonly<Record<string, MailEncryption>> = {
  required: 'starttls',
  off: 'none',
};
/** `Name <address>` or the address alone; nothing that a header could be broken with. */
const FROM_FORM =
  /^(?:(?<name>[^\p{C}<>"]{1,100}?) )?(?<open><)?(?<address>[^\p{C}\s<>"(),:;\\[\]@]{1,64}@[^\p{C}\s<>"(),:;\\[\]@]{1,189})(?<close>>)?$/u;
const URL_RIGHT =
  'an address such as smtps://user:password@mail.example.com or smtp://mail.example.com:587, ' +
  'percent-encoded where needed, with ?tls=off only where no password is sent';

/**
 * What is wrong is noted by the reader, which never repeats a value: the address has a password in it.
 * @returns undefined while no server is set: no mail is sent
 */
export function readMailSettings(reader: SettingsReader): MailSettings | undefined {
  const server = reader.checkedText(
    'SMTP_URL',
    (text) => parseServer(text) !== undefined,
    URL_RIGHT,
  );
  const sender = reader.checkedText(
    'MAIL_FROM',
    (text) => parseFrom(text) !== undefined,
    'an address such as Lothub <alerts@example.com>',
  );
  if (server === undefined && sender === undefined) return undefined;
  if (server === undefined) reader.reject('SMTP_URL', 'the mail server together with MAIL_FROM');
  if (sender === undefined) reader.reject('MAIL_FROM', 'the sender together with SMTP_URL');
  const parsed = parseServer(server ?? '');
  const from = parseFrom(sender ?? '');
  return parsed === undefined || from === undefined ? undefined : { ...parsed, from };
}

function parseServer(text: string): Omit<MailSettings, 'from'> | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const { protocol, pathname, hash } = url;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (host === '' || hash !== '' || !/^\/?$/.test(pathname)) return undefined;
  const isTls = protocol === 'smtps:';
  if (!isTls && protocol !== 'smtp:') return undefined;
  const login = parseLogin(url);
  if (login === 'malformed') return undefined;
  const isLoopback = LOOPBACK.test(host);
  const encryption = isTls ? parseTlsQuery(url) : parseQuery(url, isLoopback);
  if (encryption === undefined) return undefined;
  if (encryption === 'none' && login !== undefined && !isLoopback) return undefined;
  const port = url.port === '' ? (isTls ? SUBMISSIONS_PORT : SUBMISSION_PORT) : Number(url.port);
  if (port < 1 || port > PORT_MAX) return undefined;
  return { host, port, encryption, login };
}

function parseTlsQuery({ search }: URL): MailEncryption | undefined {
  return search === '' ? 'tls' : undefined;
}

/** Without a word of it STARTTLS is required, but to this machine itself. */
function parseQuery({ searchParams }: URL, isLoopback: boolean): MailEncryption | undefined {
  if (searchParams.size === 0) return isLoopback ? 'none' : 'starttls';
  const chosen = searchParams.get('tls') ?? '';
  return searchParams.size === 1 && Object.hasOwn(ENCRYPTIONS, chosen)
    ? ENCRYPTIONS[chosen]
    : undefined;
}

function parseLogin(url: URL): MailSettings['login'] | 'malformed' {
  if (url.username === '' && url.password === '') return undefined;
  try {
    const user = decodeURIComponent(url.username);
    const password = decodeURIComponent(url.password);
    return user === '' || password === '' ? 'malformed' : { user, password };
  } catch {
    // A percent sign in a user name or password must be encoded.
    return 'malformed';
  }
}

function parseFrom(text: string): MailAddress | undefined {
  const { name = '', open, address, close } = FROM_FORM.exec(text.trim())?.groups ?? {};
  if (address === undefined) return undefined;
  if ((open === undefined) !== (close === undefined)) return undefined;
  if (name !== '' && open === undefined) return undefined;
  return { name: name.trim(), address };
}
