// Which addresses a webhook may go to: public ones, and those that the operator allow-lists. Whoever may
// enter an address could otherwise make this service knock on doors that only it can reach.
import { BlockList, isIP, isIPv4 } from 'node:net';

/** IPv4 that is not public (IANA special-purpose registry), and one address that only looks so. */
const REFUSED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Where virtual machines of Azure reach their host.
  '168.63.129.16/32',
];

/** Global unicast; everything else of IPv6 is local, multicast or reserved. */
const PUBLIC_IPV6 = ['2000::/3'];
/** Parts of it that are not public: protocol assignments with Teredo, documentation, 6to4. */
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** IPv6 addresses that contain an IPv4 address in their last 32 bits: mapped (RFC 4291), NAT64 (RFC 6052). */
const EMBEDDING_IPV6 = parseRanges(['::ffff:0:0/96', '64:ff9b::/96']);

const refusedIpv4 = parseRanges(REFUSED_IPV4);
const publicIpv6 = parseRanges(PUBLIC_IPV6);
const refusedIpv6 = parseRanges(REFUSED_IPV6);

/** Bits of an address, by its version. */
const PREFIX_MAX: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

export type AddressVerdict = 'public' | 'allowed' | 'refused';

export class AddressRules {
  readonly #allowed: BlockList;
  /** Whether the operator allow-lists anything. */
  readonly allowsSome: boolean;

  /** @param allowed addresses and ranges such as `10.0.0.0/8` */
  constructor(allowed: readonly string[]) {
    this.#allowed = parseRanges(allowed);
    this.allowsSome = allowed.length > 0;
  }

  /** @param address IPv4 or IPv6, in any spelling of the two */
  judge(address: string): AddressVerdict {
    const plain = embeddedIpv4(address) ?? address;
    if (isIPv4(plain)) {
      if (this.#allowed.check(plain, 'ipv4')) return 'allowed';
      return refusedIpv4.check(plain, 'ipv4') ? 'refused' : 'public';
    }
    // What has a zone (`fe80::1%eth0`) is local.
    if (isIP(plain) === 0 || plain.includes('%')) return 'refused';
    if (this.#allowed.check(plain, 'ipv6')) return 'allowed';
    const isPublic = publicIpv6.check(plain, 'ipv6') && !refusedIpv6.check(plain, 'ipv6');
    return isPublic ? 'public' : 'refused';
  }
}

function embeddedIpv4(address: string): string | undefined {
  if (isIP(address) !== 6 || address.includes('%')) return undefined;
  if (!EMBEDDING_IPV6.check(address, 'ipv6')) return undefined;
  // The URL parser writes the last 32 bits as two groups, or leaves groups of zeros out.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** @throws when one is no range (`isAddressRange`) */
function parseRanges(texts: readonly string[]): BlockList {
  const ranges = new BlockList();
  for (const text of texts) {
    const [address = '', prefix] = text.split('/');
    const isV4 = isIPv4(address);
    ranges.addSubnet(address, Number(prefix ?? (isV4 ? 32 : 128)), isV4 ? 'ipv4' : 'ipv6');
  }
  return ranges;
}

/** `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`. */
export function isAddressRange(entry: string): boolean {
  const [address = '', prefix, ...more] = entry.split('/');
  const bits = PREFIX_MAX[isIP(address)];
  if (bits === undefined || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}
