// Every GET of the interface with a request that finds as much in a large hub as in a small one.
import { TILE_WIDTH, tileIndexPath } from '@lothub/chain/log';
import { HEADERS } from '../kit/child.ts';
import { ADMIN_HEADERS, GTIN, MADE_LOT, PLACE, RECEIVED_LOT, SKU, SUPPLIER } from './given.ts';
import type { Given } from './given.ts';

/** Path of request number `n` at one hub. */
export type MakePath = (n: number, given: Given) => string;

/** Requests of one path of the interface by what they ask, which is empty for the path alone. */
type Requests = Readonly<Record<string, MakePath>>;

/** Numbers spread over the whole hub, in an order of their own. */
const STRIDE = 7_919;
const EVENTS_PER_FAMILY = 6;
const STEP_MS = 1_000;
const BEGIN_MS = Date.UTC(2026, 0, 1);

/**
 * Family numbers that all have as many digits, so that a prefix finds as much in a small hub as in a
 * large one: 100 to 165 of 1,000 blocks, 100,000 to 165,999 of 1,000,000.
 */
function familyAt(n: number, { blocks }: Given): number {
  return blocks / 10 + ((n * STRIDE) % Math.floor((blocks * 66) / 1_000));
}

export function heightAt(n: number, { blocks }: Pick<Given, 'blocks'>): number {
  return 2 + ((n * STRIDE) % (blocks - 2));
}

/** A lot in the middle of its family of seven. */
function lotAt(n: number, given: Given): string {
  return `LOT-hub-${familyAt(n, given)}-3`;
}

/** A complete tile of the lowest level. */
function tileAt(n: number, { logSize }: Given): string {
  return tileIndexPath((n * STRIDE) % Math.floor(logSize / TILE_WIDTH));
}

/** An hour in which `STEP_MS` leaves room for 100 events, whatever the size of the hub. */
function occurredAt(n: number, given: Given): string {
  const from = BEGIN_MS + familyAt(n, given) * EVENTS_PER_FAMILY * STEP_MS;
  const text = (ms: number): string => new Date(ms).toISOString();
  return `occurred_from=${text(from)}&occurred_to=${text(from + 100 * STEP_MS)}`;
}

/** Hex digits that only one block begins with. */
const HASH_DIGITS = 12;
/** Events of the page of a list. */
const PAGE = 50;

/** One request, always the same. */
const always = (path: string): Requests => ({ '': () => path });
/** Of a lot of the hub, another one each time. */
const ofLots = (prefix: string, rest = ''): Requests => ({
  '': (n, given) => `${prefix}/${lotAt(n, given)}${rest}`,
});
const ofCase = (rest: string): Requests => ({
  '': (_n, { caseNo }) => `/v1/recall/cases/${caseNo}${rest}`,
});
const ofLog = (makeRest: MakePath): Requests => ({
  '': (n, given) => `/log/${given.epoch}/${makeRest(n, given)}`,
});

export const REQUESTS: Readonly<Record<string, Requests>> = {
  '/ready': always('/ready'),
  '/health': always('/health'),
  '/public/verify/{lot_code}': ofLots('/public/verify'),
  '/public/verify/{lot_code}/evidence': ofLots('/public/verify', '/evidence'),
  '/public/notices': {
    '': () => '/public/notices',
    'of a lot': () => `/public/notices?brand=bench&lot_code=${MADE_LOT}`,
  },
  '/public/notices/{case_no}': { '': (_n, { caseNo }) => `/public/notices/${caseNo}` },
  '/public/notices/{case_no}/history': {
    '': (_n, { caseNo }) => `/public/notices/${caseNo}/history`,
  },
  '/public/pictures/{sha256}': { '': (_n, { pictureHash }) => `/public/pictures/${pictureHash}` },
  '/recalls.atom': always('/recalls.atom'),
  '/recalls.json': always('/recalls.json'),
  '/public/explorer': {
    '': () => '/public/explorer',
    'one brand': () => '/public/explorer?brand=bench',
  },
  '/public/explorer/blocks': {
    '': (n, given) => `/public/explorer/blocks?limit=${PAGE}&before=${heightAt(n, given)}`,
    'one brand': () => `/public/explorer/blocks?limit=${PAGE}&brand=bench`,
    'one type': () => `/public/explorer/blocks?limit=${PAGE}&event_type=PRODUCE`,
    'a small brand': () => `/public/explorer/blocks?limit=${PAGE}&brand=mill`,
    'a rare type': () => `/public/explorer/blocks?limit=${PAGE}&event_type=SHIP`,
    'a time': () => `/public/explorer/blocks?limit=${PAGE}&recorded_from=2026-01-01`,
  },
  '/public/explorer/transactions': {
    '': (n, given) => `/public/explorer/transactions?limit=${PAGE}&before=${heightAt(n, given)}.0`,
    'one brand': () => `/public/explorer/transactions?limit=${PAGE}&brand=bench`,
    'a small brand': () => `/public/explorer/transactions?limit=${PAGE}&brand=mill`,
    'a rare type': () => `/public/explorer/transactions?limit=${PAGE}&event_type=SHIP`,
  },
  '/public/explorer/block/{height}': {
    '': (n, given) => `/public/explorer/block/${heightAt(n, given)}`,
  },
  '/public/explorer/search': {
    'lot code': (n, given) => `/public/explorer/search?q=LOT-hub-${familyAt(n, given)}-`,
    reference: (n, given) => `/public/explorer/search?q=WO-hub-${familyAt(n, given)}`,
    'hash prefix': (n, { hashes }) =>
      `/public/explorer/search?q=${(hashes[n % hashes.length] ?? '').slice(0, HASH_DIGITS)}`,
    'nothing found': (n) => `/public/explorer/search?q=NOTHING-${n}`,
  },
  '/public/explorer/lot/{lot_code}': ofLots('/public/explorer/lot'),
  '/log/epochs': always('/log/epochs'),
  '/log/{epoch}/checkpoint': ofLog(() => 'checkpoint'),
  '/log/{epoch}/checkpoint/latest': ofLog(() => 'checkpoint/latest'),
  '/log/{epoch}/vkeys': ofLog(() => 'vkeys'),
  '/log/{epoch}/proof/{index}': ofLog((n, given) => `proof/${heightAt(n, given)}`),
  '/log/{epoch}/tile/entries/{path}': ofLog((n, given) => `tile/entries/${tileAt(n, given)}`),
  '/log/{epoch}/tile/{level}/{path}': ofLog((n, given) => `tile/0/${tileAt(n, given)}`),
  '/log/{epoch}/blocks/{path}': ofLog((n, given) => `blocks/${tileAt(n, given)}`),
  '/v1/events': {
    '': () => `/v1/events?limit=${PAGE}`,
    'from anywhere': (n, given) => `/v1/events?limit=${PAGE}&before=${heightAt(n, given)}`,
    'external id': (n, given) => `/v1/events?external_id=hub-${heightAt(n, given)}`,
    reference: (n, given) => `/v1/events?reference=WO-hub-${familyAt(n, given)}`,
    'of a lot': (n, given) => `/v1/events?lot_code=${lotAt(n, given)}`,
    'one type': () => `/v1/events?limit=${PAGE}&event_type=PRODUCE`,
    'a rare type': () => `/v1/events?limit=${PAGE}&event_type=SHIP`,
    'a time': (n, given) => `/v1/events?limit=${PAGE}&${occurredAt(n, given)}`,
    'a time of a rare type': () =>
      `/v1/events?event_type=SHIP&occurred_from=2026-02-01T00:00:00Z&occurred_to=2026-02-02T00:00:00Z`,
  },
  '/v1/events.csv': { 'of a lot': (n, given) => `/v1/events.csv?lot_code=${lotAt(n, given)}` },
  '/v1/events/{id}': { '': (n, given) => `/v1/events/${heightAt(n, given)}` },
  '/v1/events/{id}/disclosure': {
    '': (_n, { disclosedId }) => `/v1/events/${disclosedId}/disclosure`,
  },
  '/v1/import/template': always('/v1/import/template?format=xlsx'),
  '/v1/lots': {
    '': () => `/v1/lots?limit=${PAGE}`,
    'one code': (n, given) => `/v1/lots?q=${lotAt(n, given)}`,
    'how codes begin': (n, given) => `/v1/lots?q=LOT-hub-${familyAt(n, given)}-`,
    'one status': () => `/v1/lots?limit=${PAGE}&status=depleted`,
    'a rare status': () => `/v1/lots?limit=${PAGE}&status=recalled`,
    'on hold': () => `/v1/lots?limit=${PAGE}&hold_status=on_hold`,
    'a code of one status': (n, given) => `/v1/lots?q=${lotAt(n, given)}&status=depleted`,
    supplier: () => `/v1/lots?q=${encodeURIComponent(SUPPLIER)}`,
    'nothing found': () => '/v1/lots?q=NOTHING',
  },
  '/v1/lots.csv': { 'one code': (n, given) => `/v1/lots.csv?q=${lotAt(n, given)}` },
  '/v1/lots/{lot_code}': ofLots('/v1/lots'),
  '/v1/lots/{lot_code}/genealogy': ofLots('/v1/lots', '/genealogy?depth=10'),
  '/v1/lots/{lot_code}/chain': ofLots('/v1/lots', '/chain'),
  '/v1/lots/{lot_code}/label': ofLots('/v1/lots', '/label'),
  '/v1/lots/{lot_code}/label-sheet': ofLots('/v1/lots', '/label-sheet'),
  '/v1/recall/cases': {
    '': () => '/v1/recall/cases',
    'of a lot': () => `/v1/recall/cases?seed_lot_code=${RECEIVED_LOT}`,
  },
  '/v1/recall/cases/{case_no}': ofCase(''),
  '/v1/recall/cases/{case_no}/lots': ofCase('/lots'),
  '/v1/recall/cases/{case_no}/lots/by-hand': ofCase('/lots/by-hand?said=added'),
  '/v1/recall/cases/{case_no}/notifications': ofCase('/notifications'),
  '/v1/recall/cases/{case_no}/lots.csv': ofCase('/lots.csv'),
  '/v1/recall/cases/{case_no}/distribution.csv': ofCase('/distribution.csv'),
  '/v1/recall/cases/{case_no}/notifications.csv': ofCase('/notifications.csv'),
  '/v1/recall/cases/{case_no}/report': ofCase('/report'),
  '/v1/recall/drills': always('/v1/recall/drills'),
  '/v1/recall/drills/{id}': { '': (_n, { drillId }) => `/v1/recall/drills/${drillId}` },
  '/v1/suppliers': always('/v1/suppliers'),
  '/v1/suppliers/{name}': always(`/v1/suppliers/${encodeURIComponent(SUPPLIER)}`),
  '/v1/recall/inbound': always('/v1/recall/inbound'),
  '/v1/recall/inbound/{case_no}': {
    '': (_n, { inboundCaseNo }) => `/v1/recall/inbound/${inboundCaseNo}`,
  },
  '/v1/brand': always('/v1/brand'),
  '/v1/products': always('/v1/products'),
  '/v1/products/{sku}': always(`/v1/products/${SKU}`),
  '/v1/places': always('/v1/places'),
  '/v1/places/{location}': always(`/v1/places/${PLACE}`),
  '/v1/dashboard/summary': always('/v1/dashboard/summary'),
  '/v1/dashboard/audit': {
    '': () => '/v1/dashboard/audit',
    'one action': () => '/v1/dashboard/audit?action=hold_lot',
  },
  '/v1/admin/overview': {
    '': () => '/v1/admin/overview',
    'one brand': () => '/v1/admin/overview?tenant_id=bench',
  },
  '/v1/admin/audit': always('/v1/admin/audit'),
  '/01/{path}': always(`/01/0${GTIN}/10/${MADE_LOT}?linkType=all`),
  '/.well-known/gs1resolver': always('/.well-known/gs1resolver'),
};

/** Their answers have proofs in them, of a hash for each level of the tree: 10 at 1,000 blocks, 20 at 1,000,000. */
export const WITH_PROOFS: ReadonlySet<string> = new Set([
  '/public/verify/{lot_code}/evidence',
  '/log/{epoch}/proof/{index}',
]);

/** What is answered only by a hub that others work with, and why no size of a hub matters to it. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  '/log/{epoch}/policy': 'a file of the operator, as it is',
  '/log/{epoch}/timestamp/{size}': 'one row by its key; needs a time-stamping service',
  '/log/{epoch}/timestamp/{size}/checkpoint': 'one row by its key; needs a time-stamping service',
  '/log/{epoch}/timestamp/{size}/proof/{index}': 'as the proof; needs a time-stamping service',
};

/** Of a request of a path of the interface. */
export function headersFor(path: string): Readonly<Record<string, string>> {
  if (path.startsWith('/v1/admin/')) return ADMIN_HEADERS;
  if (path.startsWith('/v1/')) return HEADERS;
  return path.startsWith('/01/') ? { accept: 'application/linkset+json' } : {};
}

/** @throws Error naming paths that are measured nowhere, or measured and not there */
export function assertEveryGet(paths: readonly string[]): void {
  const known = new Set([...Object.keys(REQUESTS), ...Object.keys(LEFT_OUT)]);
  const wrong = [...known.symmetricDifference(new Set(paths))];
  if (wrong.length > 0)
    throw new Error(`bench/read/paths.ts and the interface: ${wrong.join(', ')}`);
}
