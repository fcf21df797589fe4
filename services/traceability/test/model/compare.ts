// Asks a hub about every lot that a played chain knows, and compares each answer with the model's.
import assert from 'node:assert/strict';
import { valueAt, type Answer, type Booted } from '../boot.ts';
import type { TestDatabase } from '../engine.ts';
import { storedBlocks } from '../stored.ts';
import type { ChainModel } from './chain-model.ts';
import { buildGenealogy } from './genealogy-answer.ts';
import { buildJourney } from './journey-model.ts';
import { lotItem, lotRecord, lotsFoundBy } from './lots-model.ts';
import { tracedEvent, tracedEvents } from './trace-model.ts';

export interface Questions {
  readonly depths: readonly number[];
  /** Texts that lots are searched by. */
  readonly searches: readonly string[];
  /** Codes asked for that may be a supplier's alone. */
  readonly supplierLotCodes: readonly string[];
  /** Which lots of a tenant are asked about. */
  readonly isAsked: (index: number) => boolean;
}

/** What each block says of itself, which the model does not know. */
type Seals = ReadonlyMap<number, { readonly hash: string; readonly recordedAt: string }>;

export async function compareAnswers(
  hub: Booted,
  model: ChainModel,
  questions: Questions,
): Promise<void> {
  const seals = await readSeals(hub.database);
  for (const tenantId of model.tenantIds) {
    const asking = new Comparison(hub, model, { tenantId, seals });
    await asking.compareLists(questions.searches);
    await asking.compareEvents();
    const codes = [...model.mapNamings(tenantId).keys()].filter((_code, index) =>
      questions.isAsked(index),
    );
    for (const lotCode of codes) {
      await asking.compareRecord(lotCode);
      await asking.compareJourney(lotCode);
    }
    for (const lotCode of new Set([...codes, ...questions.supplierLotCodes])) {
      for (const depth of questions.depths) await asking.compareGenealogy(lotCode, depth);
      await asking.compareTrace(lotCode);
    }
  }
}

async function readSeals(database: TestDatabase): Promise<Seals> {
  const blocks = await storedBlocks(database);
  return new Map(
    blocks.map(({ height, blockHash, canonical }) => {
      const recordedAt = String(valueAt(JSON.parse(canonical), 'payload', 'recorded_at'));
      return [height, { hash: blockHash, recordedAt }];
    }),
  );
}

const PAGE = 100;

class Comparison {
  readonly #hub: Booted;
  readonly #model: ChainModel;
  readonly #tenantId: string;
  readonly #seals: Seals;

  constructor(
    hub: Booted,
    model: ChainModel,
    compared: { readonly tenantId: string; readonly seals: Seals },
  ) {
    this.#hub = hub;
    this.#model = model;
    this.#tenantId = compared.tenantId;
    this.#seals = compared.seals;
  }

  /** All lots, and those that a search or a filter leaves; the newest first. */
  async compareLists(searches: readonly string[]): Promise<void> {
    const newestFirst = [...this.#model.mapNamings(this.#tenantId).keys()].reverse();
    const items = new Map(newestFirst.map((code) => [code, this.#item(code)]));
    await this.#compareList('', newestFirst);
    for (const status of ['active', 'depleted', 'disposed']) {
      const left = newestFirst.filter((code) => items.get(code)?.status === status);
      await this.#compareList(`status=${status}`, left);
    }
    for (const holdStatus of ['released', 'on_hold']) {
      const left = newestFirst.filter((code) => items.get(code)?.hold_status === holdStatus);
      await this.#compareList(`hold_status=${holdStatus}`, left);
    }
    for (const text of searches) {
      const found = lotsFoundBy(this.#model, this.#tenantId, text);
      const exact = newestFirst.filter((code) => code === text);
      const others = newestFirst.filter((code) => code !== text && found.has(code));
      await this.#compareList(`q=${encodeURIComponent(text)}`, [...exact, ...others]);
    }
  }

  async #compareList(query: string, codes: readonly string[]): Promise<void> {
    for (let offset = 0; offset === 0 || offset < codes.length; offset += PAGE) {
      const path = `/v1/lots?${query}&limit=${PAGE}&offset=${offset}`;
      const { json } = await this.#get(path);
      this.#assertSame(path, json, {
        lots: codes
          .slice(offset, offset + PAGE)
          .map((code) => ({ ...this.#item(code), truncated: false })),
        total: codes.length,
        limit: PAGE,
        offset,
      });
    }
  }

  #item(lotCode: string): ReturnType<typeof lotItem> {
    return lotItem(this.#model, this.#tenantId, lotCode);
  }

  /** The newest events with what counts of them. */
  async compareEvents(): Promise<void> {
    const path = `/v1/events?limit=${PAGE}`;
    const { json } = await this.#get(path);
    const newest = this.#model.listEvents(this.#tenantId).toReversed().slice(0, PAGE);
    const answered = listAt(json, 'events').map((event) =>
      Object.fromEntries(
        ['id', 'status', 'event_type', 'occurred_at', 'location', 'reference', 'notes', 'lines']
          .concat('corrected_by')
          .map((name) => [name, valueAt(event, name)]),
      ),
    );
    this.#assertSame(
      path,
      answered,
      newest.map((event) => {
        const { id, status, event_type, effective } = tracedEvent(event);
        const correctedBy = event.corrections.map((correction) => correction.height);
        return { id, status, event_type, ...effective, corrected_by: correctedBy };
      }),
    );
  }

  async compareRecord(lotCode: string): Promise<void> {
    const path = `/v1/lots/${encodeURIComponent(lotCode)}`;
    const { json } = await this.#get(path);
    const record = lotRecord(this.#model, this.#tenantId, lotCode);
    const holds = listAt(json, 'holds').map((hold) => omit(hold, ['since']));
    this.#assertSame(
      path,
      { ...json, holds },
      {
        ...record,
        first_recorded_at: this.#seals.get(record?.first_block_height ?? -1)?.recordedAt,
        truncated: false,
      },
    );
  }

  async compareGenealogy(lotCode: string, depth: number): Promise<void> {
    const path = `/v1/lots/${encodeURIComponent(lotCode)}/genealogy?depth=${depth}`;
    const model = buildGenealogy(this.#model, this.#tenantId, { lotCode, depth });
    const { json } = await this.#get(path, model === undefined ? 404 : 200);
    if (model === undefined) return;
    const nodes = listAt(json, 'nodes');
    const upstream = listAt(json, 'upstream');
    const downstream = listAt(json, 'downstream');
    for (const list of [nodes, upstream, downstream]) {
      const distances = list.map((node) => Number(valueAt(node, 'distance')));
      assert.deepEqual(
        distances,
        [...distances].sort((a, b) => a - b),
        `${path}: nearest first`,
      );
    }
    const heights = listAt(json, 'edges').map((edge) => Number(valueAt(edge, 'block_height')));
    assert.deepEqual(
      heights,
      [...heights].sort((a, b) => a - b),
      `${path}: edges by block`,
    );
    this.#assertSame(
      path,
      {
        ...json,
        nodes: sorted(nodes),
        upstream: sorted(upstream),
        downstream: sorted(downstream),
        edges: sorted(listAt(json, 'edges')),
        frontier: sorted(listAt(json, 'frontier')),
      },
      {
        ...model,
        nodes: sorted(model.nodes),
        upstream: sorted(model.upstream),
        downstream: sorted(model.downstream),
        edges: sorted(model.edges.map(trimEdge)),
        frontier: sorted(model.frontier),
      },
    );
  }

  /** Page after page, so that pages are compared as well. */
  async compareTrace(lotCode: string): Promise<void> {
    const path = `/v1/lots/${encodeURIComponent(lotCode)}/chain`;
    const model = tracedEvents(this.#model, this.#tenantId, lotCode);
    const answered: unknown[] = [];
    let next: unknown = '';
    while (next !== null) {
      const page = `${path}?limit=${PAGE}${next === '' ? '' : `&after=${encodeURIComponent(String(next))}`}`;
      const { json } = await this.#get(page, model === undefined ? 404 : 200);
      if (model === undefined) return;
      assert.equal(valueAt(json, 'lot_code'), lotCode);
      assert.equal(valueAt(json, 'truncated'), false);
      answered.push(...listAt(json, 'events'));
      next = json['next'];
    }
    const seal = (height: number): object => ({ block_hash: this.#seals.get(height)?.hash });
    this.#assertSame(
      path,
      answered,
      model?.map((event) => ({
        ...event,
        ...seal(event.id),
        corrections: event.corrections.map((correction) => ({
          ...correction,
          ...seal(correction.id),
          recorded_at: this.#seals.get(correction.id)?.recordedAt,
        })),
      })),
    );
  }

  async compareJourney(lotCode: string): Promise<void> {
    const path = `/public/verify/${encodeURIComponent(lotCode)}?brand=${this.#tenantId}`;
    const { json } = await this.#get(path);
    const { journey_title, steps, channels_reached, lot, verified, truncated } = json;
    const item = this.#item(lotCode);
    this.#assertSame(
      path,
      { journey_title, steps, channels_reached, lot, verified, truncated },
      {
        ...buildJourney(this.#model, this.#tenantId, lotCode),
        lot: {
          lot_code: lotCode,
          product_sku: item?.product_sku,
          status: item?.status,
          hold_status: item?.hold_status,
        },
        verified: true,
        truncated: false,
      },
    );
  }

  async #get(path: string, status = 200): Promise<Answer> {
    const answer = await this.#hub.call(path, { headers: { 'X-Tenant-Id': this.#tenantId } });
    assert.equal(answer.status, status, `${this.#tenantId} ${path}: ${answer.text}`);
    return answer;
  }

  /** First the answer, then what the model says; members in any order. */
  #assertSame(path: string, answered: unknown, model: unknown): void {
    assert.deepEqual(
      answered,
      model,
      `the hub (+) and the model (-) differ: ${this.#tenantId} ${path}`,
    );
  }
}

/** An edge as answers show it: members that do not apply are absent. */
function trimEdge(edge: object): object {
  return Object.fromEntries(
    Object.entries(edge).filter(([name, value]) => name !== 'in_event_id' || value !== null),
  );
}

/** In an order of their texts, for lists whose order is distinguished. */
function sorted(values: readonly unknown[]): readonly unknown[] {
  const texts = values.map((value) => JSON.stringify(value, orderedMembers));
  return texts.sort().map((text) => JSON.parse(text) as unknown);
}

function orderedMembers(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function omit(value: unknown, names: readonly string[]): object {
  assert.ok(typeof value === 'object' && value !== null);
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}

/** Members of a list in an answer. */
export function listAt(json: unknown, ...path: readonly string[]): readonly unknown[] {
  const list = valueAt(json, ...path);
  assert.ok(Array.isArray(list), `no list at ${path.join('.')}`);
  return list;
}
