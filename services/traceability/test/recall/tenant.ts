// One tenant of a booted service, with what tests of recall cases post, open, move and ask for.
import assert from 'node:assert/strict';
import { aLine, anEvent, newTenant, type Answer, type Booted, type Json } from '../boot.ts';

export const CASE = {
  title: 'Metal in rye bread',
  reason: 'A broken sieve wire was found',
  opened_by: 'Ada Miller',
};

/** A hostile text as far as a new code may be one. */
export const codeFrom = (text: string) => text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '_').slice(0, 100);

/** A line of a lot that is made or used. */
export const made = (lot_code: string) => aLine({ lot_code, product_sku: 'SKU', direction: 'out' });
export const used = (lot_code: string) => aLine({ lot_code, product_sku: 'SKU', direction: 'in' });

export class RecallTenant {
  readonly id: string;
  readonly #hub: Booted;

  constructor(hub: Booted, id = newTenant()) {
    this.#hub = hub;
    this.id = id;
  }

  get headers(): Record<string, string> {
    return { 'X-Tenant-Id': this.id };
  }

  /** Posts one event; `lines` and other fields replace those of an ordinary one. */
  async post(changes: Readonly<Record<string, unknown>>): Promise<Answer> {
    const answer = await this.#hub.post('/v1/events', anEvent(changes), this.headers);
    assert.equal(answer.status, 201, answer.text);
    return answer;
  }

  /** Records lots that came in. */
  async receive(...lotCodes: readonly string[]): Promise<void> {
    await this.post({ lines: lotCodes.map((lot_code) => aLine({ lot_code })) });
  }

  /** Records that some lots were made of others. */
  async produce(from: readonly string[], to: readonly string[]): Promise<Answer> {
    const lines = [...from.map(used), ...to.map(made)];
    return await this.post({ event_type: 'PRODUCE', reference: 'WO', lines });
  }

  async open(seed: string, changes: Readonly<Record<string, unknown>> = {}): Promise<Json> {
    const answer = await this.tryOpen({ ...CASE, seed_lot_code: seed, ...changes });
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
  }

  async tryOpen(body: unknown): Promise<Answer> {
    return await this.#hub.post('/v1/recall/cases', body, this.headers);
  }

  async move(caseNo: unknown, status: unknown, changes: object = {}): Promise<Answer> {
    return await this.#hub.call(`/v1/recall/cases/${String(caseNo)}/status`, {
      method: 'PATCH',
      headers: { ...this.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status, ...changes }),
    });
  }

  async tryEdit(caseNo: unknown, body: unknown): Promise<Answer> {
    return await this.#hub.call(`/v1/recall/cases/${String(caseNo)}`, {
      method: 'PATCH',
      headers: { ...this.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async edit(caseNo: unknown, body: unknown): Promise<Json> {
    const answer = await this.tryEdit(caseNo, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  /** Moves a case through these states. */
  async moveThrough(caseNo: unknown, ...statuses: readonly string[]): Promise<void> {
    for (const status of statuses) {
      const answer = await this.move(caseNo, status);
      assert.equal(answer.status, 200, answer.text);
    }
  }

  async get(path: string): Promise<Answer> {
    return await this.#hub.call(path, { headers: this.headers });
  }

  async detail(caseNo: unknown): Promise<Json> {
    const answer = await this.get(`/v1/recall/cases/${String(caseNo)}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  async lot(lotCode: string): Promise<Json> {
    return (await this.get(`/v1/lots/${encodeURIComponent(lotCode)}`)).json;
  }

  /** Status and hold of a lot, such as `recalled on_hold`. */
  async standing(lotCode: string): Promise<string> {
    const lot = await this.lot(lotCode);
    return `${String(lot['status'])} ${String(lot['hold_status'])}`;
  }

  /** Notices of this brand. */
  async notices(query = ''): Promise<readonly Json[]> {
    const answer = await this.#hub.call(`/public/notices?brand=${this.id}${query}`);
    assert.equal(answer.status, 200, answer.text);
    return readArray(answer.json['notices']);
  }

  async verify(lotCode: string): Promise<Json> {
    const path = `/public/verify/${encodeURIComponent(lotCode)}?brand=${this.id}`;
    const answer = await this.#hub.call(path);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }
}

/** An array of an answer; of what is none, nothing. */
export function readArray(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}
