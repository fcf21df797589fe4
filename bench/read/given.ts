// What both hubs get before their reads are compared, the same in each: suppliers, products, places, holds, recall
// cases of two brands, a drill. Each GET then finds as much in the large hub as in the small one.
import { ADMIN_KEY, HEADERS, TENANT_KEY, type ServiceChild } from '../kit/child.ts';
import { textAt, valueAt } from '../kit/json-answer.ts';

/** A brand that supplies the one of the benchmark. */
const MILL = { 'x-api-key': TENANT_KEY, 'x-tenant-id': 'mill' } as const;
export const ADMIN_HEADERS = { 'x-api-key': ADMIN_KEY } as const;

export const SUPPLIER = 'Mill Brandt';
export const SKU = 'BREAD';
export const GTIN = '4006381333931';
export const PLACE = 'BAKERY-1';
/** Received from the supplier, and made of that. */
export const RECEIVED_LOT = 'FLOUR-1';
export const MADE_LOT = 'BREAD-1';
const HELD_LOT = 'BREAD-2';

/** The smallest PNG: one pixel. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** What of one hub the paths name. */
export interface Given {
  readonly blocks: number;
  /** Hashes of some blocks. */
  readonly hashes: readonly string[];
  /** Of the brand itself, and of its supplier. */
  readonly caseNo: string;
  readonly inboundCaseNo: string;
  readonly drillId: number;
  /** An event with values that its block only commits to. */
  readonly disclosedId: number;
  readonly pictureHash: string;
  readonly epoch: string;
  /** Leaves of the signed log. */
  readonly logSize: number;
}

/** How long the log may take to sign what was given, before proofs of it are read. */
const SIGNED_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;

export async function giveWork(
  { address }: ServiceChild,
  { blocks, hashes }: { readonly blocks: number; readonly hashes: readonly string[] },
): Promise<Given> {
  const hub = new GivenHub(address);
  await hub.event(MILL, 'RECEIVE', [line('WHEAT-1', 'WHEAT', 'in')]);
  await hub.event(MILL, 'PRODUCE', [line('WHEAT-1', 'WHEAT', 'in'), line('W-118', 'FLOUR', 'out')]);
  await hub.send('PUT', `/v1/suppliers/${encodeURIComponent(SUPPLIER)}`, { brand: 'mill' });
  const from = { supplier_name: SUPPLIER, supplier_lot_code: 'W-118' };
  await hub.event(HEADERS, 'RECEIVE', [{ ...line(RECEIVED_LOT, 'FLOUR', 'in'), ...from }]);
  for (const lot of [MADE_LOT, HELD_LOT]) {
    const lines = [line(RECEIVED_LOT, 'FLOUR', 'in'), line(lot, SKU, 'out')];
    await hub.event(HEADERS, 'PRODUCE', lines);
  }
  const shipped = { ...line(MADE_LOT, SKU, 'out'), consignee_ref: 'CUSTOMER-1' };
  const disclosedId = await hub.event(HEADERS, 'SHIP', [shipped]);
  await hub.send('PUT', `/v1/products/${SKU}`, { names: { en: 'Rye bread' }, gtin: GTIN });
  const pictured = await hub.request('PUT', `/v1/products/${SKU}/picture`, {
    headers: { ...HEADERS, 'content-type': 'image/png' },
    body: PICTURE,
  });
  await hub.send('PUT', `/v1/places/${PLACE}`, { name: 'Bakery, hall 2' });
  await hub.send('POST', `/v1/lots/${HELD_LOT}/hold`, { by: 'bench', reason: 'Bench' });
  const opening = { opened_by: 'bench', title: 'Bench', reason: 'Bench', severity: 'class_ii' };
  const own = await hub.send('POST', '/v1/recall/cases', {
    ...{ ...opening, seed_lot_code: RECEIVED_LOT, auto_hold: true },
  });
  const caseNo = textAt(own, 'case_no');
  const move = { status: 'notification', changed_by: 'bench' };
  await hub.send('PATCH', `/v1/recall/cases/${caseNo}/status`, move);
  const inbound = await hub.send(
    'POST',
    '/v1/recall/cases',
    { ...opening, seed_lot_code: 'WHEAT-1' },
    MILL,
  );
  const drill = await hub.send('POST', '/v1/recall/drills', {
    ...{ lot_code: RECEIVED_LOT, drilled_by: 'bench' },
  });
  const [, pictureHash = ''] =
    /\/([0-9a-f]{64})/.exec(textAt(valueAt(pictured, 'picture'), 'url')) ?? [];
  return {
    ...{ blocks, hashes, caseNo, disclosedId, pictureHash },
    inboundCaseNo: textAt(inbound, 'case_no'),
    drillId: Number(valueAt(drill, 'id')),
    ...(await hub.signedLog(blocks)),
  };
}

function line(lotCode: string, sku: string, direction: 'in' | 'out') {
  return { lot_code: lotCode, product_sku: sku, direction, quantity: 10, unit: 'kg' };
}

class GivenHub {
  readonly #address: string;
  #events = 0;

  constructor(address: string) {
    this.#address = address;
  }

  async request(method: string, path: string, init: RequestInit): Promise<unknown> {
    const answer = await fetch(this.#address + path, { method, ...init });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  }

  async send(
    method: string,
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = HEADERS,
  ): Promise<unknown> {
    return await this.request(method, path, {
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** @returns the number of the event */
  async event(
    headers: Readonly<Record<string, string>>,
    type: string,
    lines: readonly object[],
  ): Promise<number> {
    this.#events += 1;
    const event = {
      ...{ external_id: `given-${this.#events}`, event_type: type, lines },
      occurred_at: '2026-02-01T08:00:00Z',
      location: PLACE,
      reference: `GIVEN-${this.#events}`,
    };
    return Number(valueAt(await this.send('POST', '/v1/events', event, headers), 'id'));
  }

  /** The log as soon as it has signed all blocks of the hub. */
  async signedLog(blocks: number): Promise<Pick<Given, 'epoch' | 'logSize'>> {
    const endMs = performance.now() + SIGNED_WITHIN_MS;
    for (;;) {
      const { epoch, logSize } = await this.#log();
      if (logSize >= blocks) return { epoch, logSize };
      if (performance.now() > endMs) throw new Error(`the log has signed ${logSize} of ${blocks}`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async #log(): Promise<Pick<Given, 'epoch' | 'logSize'>> {
    const epochs = await (await fetch(`${this.#address}/log/epochs`)).text();
    const [, epoch = '1'] = /\/log\/(\d+)\b(?![\s\S]*\/log\/\d+\b)/.exec(epochs) ?? [];
    const answer = await fetch(`${this.#address}/log/${epoch}/checkpoint/latest`);
    const [, size = '0'] = (await answer.text()).split('\n');
    return { epoch, logSize: answer.ok ? Number(size) : 0 };
  }
}

/** Hashes of blocks at some heights. */
export async function readHashes(
  { address }: ServiceChild,
  heights: readonly number[],
): Promise<readonly string[]> {
  const hashes: string[] = [];
  for (const height of heights) {
    const block: unknown = await (await fetch(`${address}/public/explorer/block/${height}`)).json();
    hashes.push(textAt(block, 'block_hash'));
  }
  return hashes;
}

/** Paths with a GET in the description that the service itself gives of its interface. */
export async function readGetPaths({ address }: ServiceChild): Promise<readonly string[]> {
  const description: unknown = await (await fetch(`${address}/openapi.json`)).json();
  const paths = valueAt(description, 'paths');
  if (typeof paths !== 'object' || paths === null) throw new Error('the description has no paths');
  return Object.entries(paths).flatMap(([path, operations]: [string, unknown]) =>
    valueAt(operations, 'get') === undefined ? [] : [path],
  );
}
