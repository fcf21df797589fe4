// Which addresses a webhook may have. A host name is checked again, with the addresses that it resolves to, at each
// connection (send.ts).
import { isIP } from 'node:net';
import type { AddressRules } from './address-rules.ts';

/** Many servers refuse longer ones. */
export const WEBHOOK_URL_MAX = 2_048;

export const WEBHOOK_URL_RIGHT =
  'https to a public host, without user name, password and fragment; http only to allow-listed addresses';

/** @returns as it is requested; undefined when it may not be */
export function webhookUrl(text: string, rules: AddressRules): URL | undefined {
  if (text.length > WEBHOOK_URL_MAX || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  // Percent signs may have made it longer.
  if (url.href.length > WEBHOOK_URL_MAX) return undefined;
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return undefined;
  const address = literalAddress(url);
  const isPlain = url.protocol === 'http:';
  if (address === undefined) return isPlain && !rules.allowsSome ? undefined : url;
  return isPermitted(address, { rules, isPlain }) ? url : undefined;
}

/**
 * Returns the IP address that a URL has as its host, in its usual spelling: the parser has already
 * turned `0x7f.1` and `2130706433` into `127.0.0.1`.
 */
export function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) === 0 ? undefined : host;
}

/** What travels unencrypted stays in the operator's own network. */
export function isPermitted(
  address: string,
  { rules, isPlain }: { readonly rules: AddressRules; readonly isPlain: boolean },
): boolean {
  const verdict = rules.judge(address);
  return verdict === 'allowed' || (verdict === 'public' && !isPlain);
}
