// Resolves a host name with the name servers.
import type { LookupAddress } from 'node:dns';
import { Resolver, lookup } from 'node:dns/promises';

/** Time limit of one query, and the number of queries; together they are below the time-out of a try. */
const QUESTION_TIMEOUT_MS = 3_000;
const QUESTION_TRIES = 2;

/** Finds all addresses of a name; an empty list when it has none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface ResolverOptions {
  /**
   * Whether names that no name server knows are looked for as the operating system does, in its file of
   * hosts and its search domains.
   */
  readonly readsHosts: boolean;
  /** `127.0.0.1:53`; those of this machine when not given. */
  readonly servers?: readonly string[];
}

/**
 * Not the operating system at once: it answers in threads of which the whole process has four, and a name
 * whose server says nothing holds one for many seconds. Somebody with such a name would hold up all
 * webhooks, and passwords too.
 */
export function newResolver({ readsHosts, servers }: ResolverOptions): Resolve {
  const resolver = new Resolver({ timeout: QUESTION_TIMEOUT_MS, tries: QUESTION_TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  return async (hostname) => {
    const [ipv4, ipv6] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = [
      ...listAddresses(ipv4).map((address) => ({ address, family: 4 })),
      ...listAddresses(ipv6).map((address) => ({ address, family: 6 })),
    ];
    if (addresses.length > 0 || !readsHosts) return addresses;
    return await lookup(hostname, { all: true });
  };
}

function listAddresses(answer: PromiseSettledResult<readonly string[]>): readonly string[] {
  return answer.status === 'fulfilled' ? answer.value : [];
}
