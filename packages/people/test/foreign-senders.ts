// What a browser says of a request that another site made it send, for tests that send every form of a service so.

export interface ForeignSender {
  readonly says: string;
  /** `SELF` stands for the origin of the service. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether a header says that it comes from elsewhere; else it says nothing that counts, as a program does. */
  readonly isKnown: boolean;
}

export const FOREIGN_SENDERS: readonly ForeignSender[] = [
  { says: 'no word of where it comes from', headers: {}, isKnown: false },
  {
    says: 'Sec-Fetch-Site: cross-site',
    headers: { 'Sec-Fetch-Site': 'cross-site' },
    isKnown: true,
  },
  { says: 'Sec-Fetch-Site: same-site', headers: { 'Sec-Fetch-Site': 'same-site' }, isKnown: true },
  { says: 'Sec-Fetch-Site of no known value', headers: { 'Sec-Fetch-Site': 'x' }, isKnown: true },
  { says: 'an empty Sec-Fetch-Site', headers: { 'Sec-Fetch-Site': '' }, isKnown: true },
  {
    says: 'another site, whatever its origin says',
    headers: { 'Sec-Fetch-Site': 'cross-site', Origin: 'SELF' },
    isKnown: true,
  },
  {
    says: 'the origin of another host',
    headers: { Origin: 'https://evil.example.com' },
    isKnown: true,
  },
  { says: 'the origin of another port', headers: { Origin: 'http://127.0.0.1:1' }, isKnown: true },
  {
    says: 'an origin that begins like ours',
    headers: { Origin: 'SELF.evil.example.com' },
    isKnown: true,
  },
  { says: 'the origin null', headers: { Origin: 'null' }, isKnown: true },
  { says: 'an origin that is no address', headers: { Origin: 'x' }, isKnown: true },
  { says: 'an origin without a host', headers: { Origin: 'file://' }, isKnown: true },
  { says: 'a Referer alone', headers: { Referer: 'SELF/console' }, isKnown: false },
];

/** The headers as a browser sends them to a service at this address. */
export function foreignHeaders(
  { headers }: ForeignSender,
  base: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('SELF', base)]),
  );
}
