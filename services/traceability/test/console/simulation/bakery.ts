// A bakery with flour of two mills that use the same lot code, bread made of one of them, deliveries and sales.
import assert from 'node:assert/strict';
import { aLine, type Booted } from '../../boot.ts';
import { RecallTenant } from '../../recall/tenant.ts';

export const MILL = 'Mill Brandt';
export const OTHER_MILL = 'Müller & Söhne <GmbH>';
export const CUSTOMER = 'CAFÉ ROSA';
/** Of both mills. */
export const MILLS_CODE = 'W-118';

export class Bakery extends RecallTenant {
  readonly #booted: Booted;

  constructor(booted: Booted, id?: string) {
    super(booted, id);
    this.#booted = booted;
  }

  /** Flour of both mills under one code; bread and rolls of the first, shipped and sold. */
  async record(): Promise<void> {
    await this.flour('FLOUR-1', MILL);
    await this.flour('FLOUR-2', OTHER_MILL);
    await this.bake('FLOUR-1', ['BREAD-1', 'ROLLS-1']);
    await this.post({
      event_type: 'SHIP',
      location: 'DOCK-1',
      reference: 'DN-1',
      lines: [this.#out('BREAD-1', '60')],
    });
    await this.sell('BREAD-1', CUSTOMER);
  }

  async flour(lotCode: string, supplier: string): Promise<void> {
    const from = { supplier_name: supplier, supplier_lot_code: MILLS_CODE };
    await this.post({ lines: [aLine({ lot_code: lotCode, product_sku: 'RYE-997', ...from })] });
  }

  async bake(flour: string, lotCodes: readonly string[]): Promise<void> {
    const used = aLine({
      lot_code: flour,
      product_sku: 'RYE-997',
      direction: 'in',
      quantity: 5,
    });
    const lines = [used, ...lotCodes.map((lotCode) => this.#out(lotCode, '100'))];
    await this.post({ event_type: 'PRODUCE', reference: 'WO-1', lines });
  }

  async sell(lotCode: string, customer: string): Promise<void> {
    const line = { ...this.#out(lotCode, '20'), customer_ref: customer, channel: 'Wochenmarkt' };
    await this.post({ event_type: 'SELL', reference: 'S-1', lines: [line] });
  }

  /** What consumers read of the bakery. */
  async setProfiles(): Promise<void> {
    const answer = await this.#booted.call('/v1/brand', {
      method: 'PATCH',
      headers: { ...this.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        name: 'Bäckerei Altmühle',
        language: 'de',
        recall_contact: 'rueckruf@altmuehle.example',
      }),
    });
    assert.equal(answer.status, 200, answer.text);
  }

  #out(lotCode: string, quantity: string): Record<string, unknown> {
    const product = { product_sku: 'RYE-BREAD', unit: 'pcs' };
    return aLine({ lot_code: lotCode, direction: 'out', quantity: Number(quantity), ...product });
  }
}
