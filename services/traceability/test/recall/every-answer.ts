// Every answer that the hub gives when nothing is changed: each GET of the interface with all values that there are
// for its parameters, and the public pages of profiles. A route that is in neither list fails.
import assert from 'node:assert/strict';
import { listOperations, type Description } from '@lothub/kit/test/description/described-api';
import { until } from '../audit/chained.ts';
import { ADMIN_KEY, type Booted } from '../boot.ts';
import type { StoredRow } from '../engine.ts';

/** What a tenant has, by which its answers are asked for. */
interface Tenant {
  readonly id: string;
  readonly lots: readonly string[];
  readonly cases: readonly string[];
  readonly drills: readonly string[];
  readonly events: readonly string[];
  readonly skus: readonly string[];
  readonly places: readonly string[];
  readonly suppliers: readonly string[];
  /** An entry of the audit: those behind it may be of reading. */
  readonly auditBefore: number;
}

/** The addresses of a route. */
type Ways = (tenant: Tenant) => readonly string[];

const LONGEST = 'limit=200';

const one =
  (...paths: readonly string[]): Ways =>
  () =>
    paths;
const perCase =
  (...rests: readonly string[]): Ways =>
  ({ cases }) =>
    cases.flatMap((caseNo) => rests.map((rest) => `/v1/recall/cases/${caseNo}${rest}`));
const perLot =
  (path: (code: string, tenant: Tenant) => readonly string[]): Ways =>
  (tenant) =>
    tenant.lots.flatMap((code) => path(encodeURIComponent(code), tenant));
const perEvent =
  (path: (height: string) => string): Ways =>
  ({ events }) =>
    events.map(path);

const brandQuery = ({ id }: Tenant): string => `brand=${encodeURIComponent(id)}`;

const WAYS: Readonly<Record<string, Ways>> = {
  '/public/verify/{lot_code}': perLot((code, tenant) => [
    `/public/verify/${code}?${brandQuery(tenant)}`,
  ]),
  '/public/verify/{lot_code}/evidence': perLot((code, tenant) => [
    `/public/verify/${code}/evidence?${brandQuery(tenant)}`,
  ]),
  '/public/notices': (tenant) => [
    `/public/notices?limit=100&${brandQuery(tenant)}`,
    ...tenant.lots.map((code) => `/public/notices?lot_code=${encodeURIComponent(code)}`),
  ],
  '/public/notices/{case_no}': ({ cases }) =>
    cases.map((caseNo) => `/public/notices/${caseNo}?${LONGEST}`),
  '/public/notices/{case_no}/history': ({ cases }) =>
    cases.map((caseNo) => `/public/notices/${caseNo}/history`),
  '/recalls.atom': one('/recalls.atom', '/recalls.atom?lang=de'),
  '/recalls.json': one('/recalls.json'),
  '/public/explorer': (tenant) => [`/public/explorer?${brandQuery(tenant)}`],
  '/public/explorer/blocks': (tenant) => [
    `/public/explorer/blocks?${LONGEST}&${brandQuery(tenant)}`,
  ],
  '/public/explorer/transactions': (tenant) => [
    `/public/explorer/transactions?${LONGEST}&${brandQuery(tenant)}`,
  ],
  '/public/explorer/block/{height}': perEvent((height) => `/public/explorer/block/${height}`),
  '/public/explorer/search': (tenant) =>
    [...tenant.lots, ...tenant.cases].map(
      (word) => `/public/explorer/search?q=${encodeURIComponent(word)}&${brandQuery(tenant)}`,
    ),
  '/public/explorer/lot/{lot_code}': perLot((code, tenant) => [
    `/public/explorer/lot/${code}?${brandQuery(tenant)}`,
  ]),
  '/v1/events': one(`/v1/events?${LONGEST}`),
  '/v1/events.csv': one('/v1/events.csv'),
  '/v1/events/{id}': perEvent((height) => `/v1/events/${height}`),
  '/v1/events/{id}/disclosure': perEvent((height) => `/v1/events/${height}/disclosure`),
  '/v1/lots': one('/v1/lots', '/v1/lots?hold_status=on_hold', '/v1/lots?status=active'),
  '/v1/lots.csv': one('/v1/lots.csv'),
  '/v1/lots/{lot_code}': perLot((code) => [`/v1/lots/${code}`]),
  '/v1/lots/{lot_code}/genealogy': perLot((code) => [`/v1/lots/${code}/genealogy`]),
  '/v1/lots/{lot_code}/chain': perLot((code) => [`/v1/lots/${code}/chain?${LONGEST}`]),
  '/v1/recall/cases': one('/v1/recall/cases', '/v1/recall/cases?open=true'),
  '/v1/recall/cases/{case_no}': perCase(''),
  '/v1/recall/cases/{case_no}/lots': perCase('/lots', '/lots?which=all'),
  '/v1/recall/cases/{case_no}/lots/by-hand': perCase(
    '/lots/by-hand?said=added',
    '/lots/by-hand?said=excluded',
  ),
  '/v1/recall/cases/{case_no}/notifications': perCase(
    '/notifications',
    '/notifications?status=sent',
  ),
  '/v1/recall/cases/{case_no}/lots.csv': perCase('/lots.csv'),
  '/v1/recall/cases/{case_no}/distribution.csv': perCase('/distribution.csv'),
  '/v1/recall/cases/{case_no}/notifications.csv': perCase('/notifications.csv'),
  '/v1/recall/cases/{case_no}/report': perCase('/report'),
  '/v1/recall/drills': one('/v1/recall/drills'),
  '/v1/recall/drills/{id}': ({ drills }) => drills.map((id) => `/v1/recall/drills/${id}`),
  '/v1/suppliers': one('/v1/suppliers'),
  '/v1/suppliers/{name}': ({ suppliers }) =>
    suppliers.map((name) => `/v1/suppliers/${encodeURIComponent(name)}`),
  '/v1/recall/inbound': one('/v1/recall/inbound'),
  '/v1/recall/inbound/{case_no}': ({ cases }) =>
    cases.map((caseNo) => `/v1/recall/inbound/${caseNo}`),
  '/v1/brand': one('/v1/brand'),
  '/v1/products': one('/v1/products'),
  '/v1/products/{sku}': ({ skus }) => skus.map((sku) => `/v1/products/${encodeURIComponent(sku)}`),
  '/v1/places': one('/v1/places'),
  '/v1/places/{location}': ({ places }) =>
    places.map((place) => `/v1/places/${encodeURIComponent(place)}`),
  '/v1/dashboard/summary': one('/v1/dashboard/summary'),
  '/v1/dashboard/audit': ({ auditBefore }) => [
    `/v1/dashboard/audit?${LONGEST}&before=${auditBefore}`,
  ],
  '/v1/admin/overview': one('/v1/admin/overview'),
  '/v1/admin/audit': ({ id, auditBefore }) => [
    `/v1/admin/audit?tenant_id=${encodeURIComponent(id)}&before=${auditBefore}`,
  ],
};

const SHOWS_THE_PROCESS = 'says how this process does, not what is recorded';
const SHOWS_THE_REQUEST = 'draws what it was asked to draw';

const NOT_COMPARED: Readonly<Record<string, string>> = {
  '/ready': SHOWS_THE_PROCESS,
  '/health': SHOWS_THE_PROCESS,
  '/v1/import/template': SHOWS_THE_REQUEST,
  '/v1/lots/{lot_code}/label': SHOWS_THE_REQUEST,
  '/v1/lots/{lot_code}/label-sheet': SHOWS_THE_REQUEST,
  '/01/{path}': 'sends on to a page of the lot',
  '/.well-known/gs1resolver': SHOWS_THE_PROCESS,
  '/public/pictures/{sha256}': 'is asked for by the hash of its bytes',
};

/** What an answer says of the moment at which it is given: how far the process has verified, when it was asked. */
const OF_THE_MOMENT = [
  /"verified_(?:through|at)":(?:\d+|null|"[^"]*"),?/gu,
  /"checked_at":"[^"]*"/gu,
  /(?<=verified through block )\d+/gu,
  /(?<=(?:, as of\s+|Made ))\d[\d-]+ [\d:.]+ UTC/gu,
  /<time [^>]*>[^<]*<\/time>(?=\s+and is complete)/gu,
];

function withoutMoment(text: string): string {
  return OF_THE_MOMENT.reduce((rest, moment) => rest.replaceAll(moment, ''), text);
}

/** Public pages of profiles. */
const PAGES: Ways = (tenant) => [
  '/recalls',
  ...tenant.cases.map((caseNo) => `/recalls/${caseNo}`),
  ...tenant.lots.map((code) => `/lot/${encodeURIComponent(code)}?${brandQuery(tenant)}`),
];

/**
 * Asks for every answer of some tenants. Some of it is entered in the audit, which is therefore compared up to
 * an entry that is there.
 * @returns what was answered, by tenant and path
 */
export async function readEveryAnswer(
  hub: Booted,
  asked: { readonly tenantIds: readonly string[]; readonly auditBefore: number },
): Promise<ReadonlyMap<string, string>> {
  await untilSigned(hub);
  const ways = await listWays(hub);
  const answers = new Map<string, string>();
  for (const id of asked.tenantIds) {
    const tenant = { ...(await readTenant(hub, id)), auditBefore: asked.auditBefore };
    for (const path of [...ways, PAGES].flatMap((way) => way(tenant))) {
      const key = path.startsWith('/v1/admin') ? { 'X-Api-Key': ADMIN_KEY } : {};
      const answer = await hub.call(path, { headers: { 'X-Tenant-Id': id, ...key } });
      assert.ok([200, 404].includes(answer.status), `${path}: ${answer.status} ${answer.text}`);
      answers.set(`${id} ${path}`, `${answer.status} ${withoutMoment(answer.text)}`);
    }
  }
  return answers;
}

/** Waits until the newest tree is signed: the evidence of a lot is about the last that is. */
async function untilSigned(hub: Booted): Promise<void> {
  const [head] = await hub.database.rows('select height from head');
  await until(async () => {
    const { text } = await hub.call('/log/1/checkpoint/latest');
    return Number(text.split('\n')[1]) > Number(head?.['height']) ? true : undefined;
  });
}

const AROUND = 60;

/** Returns where the answers to a path differ, in a few words of both. */
export function compareAnswers(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((path) => {
    const [one = 'no answer', other = 'no answer'] = [before.get(path), after.get(path)];
    if (one === other) return [];
    let from = 0;
    while (one[from] === other[from]) from += 1;
    const excerpt = (text: string): string => text.slice(Math.max(0, from - AROUND), from + AROUND);
    return [`${path}: ${excerpt(one)} | ${excerpt(other)}`];
  });
}

async function listWays(hub: Booted): Promise<readonly Ways[]> {
  const description = JSON.parse((await hub.call('/openapi.json')).text) as Description;
  const routes = listOperations(description).filter(({ method }) => method === 'get');
  return routes.flatMap(({ path }) => {
    // The log is made of the blocks alone; its own tests compare it.
    if (path in NOT_COMPARED || path.startsWith('/log/')) return [];
    const ways = WAYS[path];
    assert.ok(ways !== undefined, `${path} is in neither list of every-answer.ts`);
    return [ways];
  });
}

/** Of a longer list so many are asked for, spread evenly: those of a random chain differ by nothing else. */
const ASKED_MAX = 20;

function spread(all: readonly string[]): readonly string[] {
  const step = Math.max(1, all.length / ASKED_MAX);
  return all.filter((_one, index) => Math.floor(index / step) > Math.floor((index - 1) / step));
}

async function readTenant(hub: Booted, id: string): Promise<Omit<Tenant, 'auditBefore'>> {
  const column = async (text: string): Promise<readonly string[]> =>
    spread((await hub.database.rows(text, id)).map(pickFirst));
  const ofTenant = 'where tenant_no = (select tenant_no from tenants where tenant_id = ?)';
  return {
    id,
    lots: await column(`select lot_code from lots ${ofTenant} order by lot_no`),
    cases: await column(`select case_no from recall_cases ${ofTenant} order by case_id`),
    drills: await column(`select drill_id from recall_drills ${ofTenant} order by drill_id`),
    events: await column(`select height from events ${ofTenant} order by height`),
    skus: await column('select sku from products where tenant_id = ? order by sku'),
    places: await column('select location from places where tenant_id = ? order by location'),
    suppliers: await column('select name from suppliers where tenant_id = ? order by name'),
  };
}

function pickFirst(row: StoredRow): string {
  return String(Object.values(row)[0]);
}
