// A tenant with profiles of itself, its products and places.
import { newTenant, type Answer, type Booted, type Json } from '../boot.ts';
import type { Bytes } from './pictures.ts';

export const PRODUCT = { names: { de: 'Roggenbrot', en: 'Rye bread' }, gtin: '4006381333931' };
export const PLACE = {
  name: 'Hall 2',
  address: 'Mill Lane 3',
  gln: '4012345000009',
  time_zone: 'Europe/Berlin',
};

export class TestBrand {
  readonly id: string;
  readonly #hub: Booted;

  constructor(hub: Booted, id = newTenant()) {
    this.id = id;
    this.#hub = hub;
  }

  get(path: string): Promise<Answer> {
    return this.#hub.call(path, { headers: this.#headers });
  }

  put(path: string, body: unknown): Promise<Answer> {
    return this.#send('PUT', path, body);
  }

  patch(path: string, body: unknown): Promise<Answer> {
    return this.#send('PATCH', path, body);
  }

  remove(path: string): Promise<Answer> {
    return this.#hub.call(path, { method: 'DELETE', headers: this.#headers });
  }

  picture(sku: string, body: Bytes, type = 'image/png'): Promise<Answer> {
    return this.#hub.call(`/v1/products/${encodeURIComponent(sku)}/picture`, {
      method: 'PUT',
      headers: { ...this.#headers, 'Content-Type': type },
      body,
    });
  }

  /** What the decision of a block says, with the summary of the block. */
  async decision(height: unknown): Promise<{ readonly decision: Json; readonly summary: string }> {
    const { json } = await this.#hub.call(`/public/explorer/block/${String(height)}`);
    const block = JSON.parse(String(json['canonical'])) as Json;
    return { decision: block['payload']!['decision']!, summary: String(json['summary']) };
  }

  get #headers() {
    return { 'X-Tenant-Id': this.id };
  }

  #send(method: string, path: string, body: unknown): Promise<Answer> {
    return this.#hub.call(path, {
      method,
      headers: { ...this.#headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }
}

/** Height of the newest block. */
export async function readHeight(hub: Booted): Promise<number> {
  return Number((await hub.call('/public/explorer')).json['stats']!['height']);
}
