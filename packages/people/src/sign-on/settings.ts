// Settings of single sign-on. Each is described in docs/people.md.
import type { SettingsReader } from '@lothub/kit/settings';

export interface SignOnSettings {
  /** The provider, as it calls itself: `https://login.example.com/realms/main`. */
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a client without a secret, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  /** What is requested of the provider, such as `openid email profile`. */
  readonly scopes: string;
  /** The claim that names a person's brands; undefined: none does. */
  readonly brandClaim: string | undefined;
  /** The claim that names a person's role; undefined: none does. */
  readonly roleClaim: string | undefined;
  /** Whether people may also log in with a password. */
  readonly passwordLogin: PasswordLogin;
}

export const PASSWORD_LOGIN = ['on', 'off'] as const;
export type PasswordLogin = (typeof PASSWORD_LOGIN)[number];

const SCOPES_DEFAULT = 'openid email profile';
/** RFC 6749, section 3.3: words of visible characters, with single spaces between them. */
const SCOPES_FORM = /^[\x21\x23-\x5b\x5d-\x7e]{1,100}(?: [\x21\x23-\x5b\x5d-\x7e]{1,100}){0,19}$/;
/** RFC 6749, appendix A. */
const CLIENT_ID_FORM = /^[\x20-\x7e]{1,512}$/;
const CLIENT_SECRET_FORM = /^[\x20-\x7e]{1,1024}$/;
/** A name that is a URL is usual for claims of one's own. */
const CLAIM_FORM = /^[\x21-\x7e]{1,200}$/;
/** Plain HTTP is for a provider on the same machine. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * What is wrong is noted by the reader.
 * @returns undefined while no issuer is set
 */
export function readSignOnSettings(reader: SettingsReader): SignOnSettings | undefined {
  const issuer = reader.checkedText(
    'OIDC_ISSUER',
    isIssuer,
    'an address such as https://login.example.com, with http: on this machine alone',
  );
  const clientId = reader.checkedText(
    'OIDC_CLIENT_ID',
    (text) => CLIENT_ID_FORM.test(text),
    'the id that the provider gave this client',
  );
  const clientSecret = reader.checkedText(
    'OIDC_CLIENT_SECRET',
    (text) => CLIENT_SECRET_FORM.test(text),
    '1 to 1024 ASCII characters',
  );
  const scopes = reader.checkedText(
    'OIDC_SCOPES',
    (text) => SCOPES_FORM.test(text) && text.split(' ').includes('openid'),
    'scopes with single spaces between them, and openid among them',
  );
  const brandClaim = reader.checkedText('OIDC_BRAND_CLAIM', isClaimName, 'the name of a claim');
  const roleClaim = reader.checkedText('OIDC_ROLE_CLAIM', isClaimName, 'the name of a claim');
  const passwordLogin = reader.oneOf('OIDC_PASSWORD_LOGIN', 'on', PASSWORD_LOGIN);
  if (issuer === undefined) {
    const values = { clientId, clientSecret, scopes, brandClaim, roleClaim };
    const isMeant = Object.values(values).some((value) => value !== undefined);
    if (isMeant || passwordLogin === 'off') {
      reader.reject('OIDC_ISSUER', 'the address of the provider with the other settings of OIDC');
    }
    return undefined;
  }
  if (clientId === undefined) {
    reader.reject('OIDC_CLIENT_ID', 'the id that the provider gave this client');
    return undefined;
  }
  return {
    issuer,
    clientId,
    clientSecret,
    scopes: scopes ?? SCOPES_DEFAULT,
    brandClaim,
    roleClaim,
    passwordLogin,
  };
}

/** OpenID Connect Discovery 1.0, section 2: https, without a query and a fragment. */
function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.has(hostname));
  return isSafe && search === '' && hash === '' && username === '' && password === '';
}

function isClaimName(text: string): boolean {
  return CLAIM_FORM.test(text);
}
