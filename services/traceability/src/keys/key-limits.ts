// What limited keys open. Each route below /v1 names the limit that it needs, in its config (`keyNeeds`); a
// route that names none does not start.
//
// `read` is every GET, and the POST that only answers: a simulation. `post-events` is what an ERP needs, and no
// more: events one by one, in a batch, or from a file. Nothing is read with it, so that a key that leaks from a
// shop floor shows nothing; an event that may be stored or not is sent again with its `external_id`. Corrections
// are not among them: they change what counts, and somebody is to answer for each.
import type { FastifyRequest, RouteOptions } from 'fastify';
import { Refusal } from '../errors.ts';
import { refusal } from '../http.ts';
import { KEY_LIMITS, type KeyLimit } from '../ledger/tables/off-chain.ts';
import type { KeyRecord, KeyRole } from './key-store.ts';

/** The refusal of a request that the key does not open; undefined when it does. */
export function beyondLimit(
  { limited_to: limit }: Pick<KeyRecord, 'limited_to'>,
  request: Pick<FastifyRequest, 'is404' | 'routeOptions'>,
): Refusal | undefined {
  // Every key may learn that something does not exist.
  if (request.is404) return undefined;
  const needed = request.routeOptions.config.keyNeeds ?? 'all';
  return opens(limit, needed) ? undefined : new Refusal('key_limited', sentence(limit, needed));
}

function opens(limit: KeyLimit, needed: KeyLimit): boolean {
  return limit === 'all' || limit === needed;
}

function sentence(limit: KeyLimit, needed: KeyLimit): string {
  return `The key is limited to ${limit}, and this request needs ${wanted(needed)}`;
}

function wanted(needed: KeyLimit): string {
  return needed === 'all'
    ? 'a key without a limit'
    : `one with the limit ${needed}, or without any`;
}

type RouteHook = (route: RouteOptions) => void;

/** The `onRoute` hook of the endpoints of a role: each names its limit, and its description says so. */
export function describeKeyNeeds(role: KeyRole): RouteHook {
  return (route) => {
    const needed = route.config?.keyNeeds;
    if (needed === undefined) {
      throw new TypeError(`${String(route.method)} ${route.url} names no limit of keys (keyNeeds)`);
    }
    // Keys of the operator have no limits.
    if (role === 'admin') return;
    const { response } = route.schema ?? {};
    const limits = KEY_LIMITS.filter((limit) => opens(limit, needed));
    const answers = { ...asObject(response), 403: limited(needed) };
    route.schema = { ...route.schema, ...{ 'x-key-limits': limits, response: answers } };
  };
}

const limited = (needed: KeyLimit) =>
  refusal(
    `The key has a limit, and this endpoint needs ${wanted(needed)}`,
    sentence(needed === 'read' ? 'post-events' : 'read', needed),
  );

function asObject(response: unknown): object {
  return typeof response === 'object' && response !== null ? response : {};
}
