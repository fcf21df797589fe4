// Where a link leads: only addresses of the web are links.

/** The host of an http or https address, as it is looked up; undefined of anything else. */
export function linkHost(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  return url.host === '' ? undefined : url.host;
}
