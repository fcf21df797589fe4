// Which address a request came from, and which client its requests are counted for.
import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Who has one IPv6 address has 2^64 of them: the first four of eight groups say who it is. */
const GROUPS_OF_NETWORK = 4;
const GROUPS = 8;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The address of the client, as far as trusted proxies name it. What a proxy names and is no address is
 * not believed: then it is the address of that proxy.
 */
export function readClientAddress(request: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const [peer = request.ip, ...named] = request.ips ?? [];
  return named.findLast(isAddress) ?? peer;
}

/** Without a zone, which says something on the machine of the client alone. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes('%');
}

/** An IPv4 address as it is, the /64 network of an IPv6 address. */
export function toClientNetwork(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.replace(/%.*$/, '').split('::');
  const left = splitGroups(before);
  const right = splitGroups(after ?? '');
  const zeros = Array.from({ length: GROUPS - left.length - right.length }, () => '0');
  const groups = [...left, ...(after === undefined ? [] : zeros), ...right];
  return `${groups.slice(0, GROUPS_OF_NETWORK).map(shortened).join(':')}::/64`;
}

function splitGroups(text: string): readonly string[] {
  return text === '' ? [] : text.split(':');
}

function shortened(group: string): string {
  return group.toLowerCase().replace(/^0+(?=.)/, '');
}
