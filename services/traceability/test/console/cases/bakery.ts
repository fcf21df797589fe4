// A bakery with a recall case for tests of its pages: a supplier's flour, two batches of rolls, three customers.
import { aLine, type Booted, type Json } from '../../boot.ts';
import { RecallTenant, readArray } from '../../recall/tenant.ts';

export const CUSTOMERS = ['shop@corner.example', 'Café <b>Nord</b>', 'مخبز الحي'] as const;

export interface Bakery {
  readonly brand: string;
  readonly tenant: RecallTenant;
  readonly caseNo: string;
  /** Address of the case in the console. */
  readonly path: string;
}

/** What is sold of a lot. */
export async function sell(
  tenant: RecallTenant,
  lotCode: string,
  { to, quantity = 12 }: { readonly to: string; readonly quantity?: number },
): Promise<void> {
  await tenant.post({
    event_type: 'SELL',
    lines: [
      aLine({
        lot_code: lotCode,
        product_sku: 'SKU',
        direction: 'out',
        quantity,
        unit: 'pcs',
        customer_ref: to,
        channel: 'shop',
      }),
    ],
  });
}

export async function openBakery(
  booted: Booted,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<Bakery> {
  const tenant = new RecallTenant(booted);
  await tenant.receive('FLOUR-1');
  await tenant.produce(['FLOUR-1'], ['ROLL-1', 'ROLL-2']);
  for (const to of CUSTOMERS) await sell(tenant, 'ROLL-1', { to });
  const opened = await tenant.open('FLOUR-1', {
    title: 'Metal in rolls',
    severity: 'class_ii',
    ...changes,
  });
  const caseNo = String(opened['case_no']);
  const brand = tenant.id;
  return { brand, tenant, caseNo, path: `/console/b/${brand}/recalls/${caseNo}` };
}

/** What the form of a move sends besides what is typed. */
export function readHidden({ text }: { readonly text: string }, to: string): { seen: string } {
  const form = new RegExp(
    `name="to" value="${to}" />\\s*<input type="hidden" name="seen" value="([^"]+)"`,
  );
  const seen = form.exec(text)?.[1];
  if (seen === undefined) throw new Error(`the page has no form that moves the case to ${to}`);
  return { seen };
}

/** As the interface lists them. */
export async function readNotifications(
  tenant: RecallTenant,
  caseNo: string,
): Promise<readonly Json[]> {
  const { json } = await tenant.get(`/v1/recall/cases/${caseNo}/notifications`);
  return readArray(json['notifications']);
}
