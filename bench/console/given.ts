// Something of what the pages of the console are for, on the generated hub: lots on hold, an open case with
// notifications, a drill, an import with a wrong row, a webhook with a delivery.
import { HEADERS } from '../kit/child.ts';
import { TENANT } from '../kit/hub.ts';
import { listAt, textAt, valueAt } from '../kit/json-answer.ts';
import { Random } from '../kit/random.ts';
import { ordinaryLots } from '../lots/reads.ts';
import type { SupplyChain } from '../supply/chain.ts';
import type { Given } from './pages.ts';

/** Lots and events that are looked at in turn. */
const SAMPLE = 20;
const HELD = 5;
/** Nobody is there, and no name of a machine ends like it (RFC 2606). */
const RECEIVER = 'https://receiver.invalid/hook';
const IMPORT = [
  'event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit',
  'RECEIVE,2026-03-02T07:15:00Z,BENCH-1,PO-1,BENCH-1,BENCH,in,much,kg',
].join('\n');

export async function giveWork(hub: {
  readonly address: string;
  /** Of somebody who manages the brand. */
  readonly cookie: string;
  readonly chain: SupplyChain;
  readonly seed: number;
}): Promise<Given> {
  const { address, cookie, seed } = hub;
  const { model, sold } = hub.chain;
  const lots = ordinaryLots(model, new Random(seed)).slice(0, SAMPLE);
  const lotCodes = lots.map(({ lot }) => model.getCode(lot));
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(address + path, {
      method,
      headers: { ...HEADERS, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
    return JSON.parse(text);
  };
  for (const code of lotCodes.slice(0, HELD))
    await send('POST', `/v1/lots/${encodeURIComponent(code)}/hold`, { by: 'bench', reason: 'b' });
  const [lotCode = ''] = lotCodes;
  const opened = await send('POST', '/v1/recall/cases', {
    ...{ seed_lot_code: lotCode, opened_by: 'bench', title: 'Bench', reason: 'Bench' },
    auto_hold: true,
  });
  const caseNo = textAt(opened, 'case_no');
  const move = { status: 'notification', changed_by: 'bench' };
  await send('PATCH', `/v1/recall/cases/${caseNo}/status`, move);
  const drill = { lot_code: lotCode, drilled_by: 'bench' };
  const drillId = valueAt(await send('POST', '/v1/recall/drills', drill), 'id');
  const events = listAt(await send('GET', `/v1/events?limit=${SAMPLE}`), 'events');
  const listed = await send('GET', `/v1/recall/cases/${caseNo}/notifications`);
  const record = await send('GET', `/v1/lots/${encodeURIComponent(lotCode)}`);
  return {
    lotCodes,
    wideLotCode: model.getCode(sold.lot),
    eventIds: events.map((event) => Number(valueAt(event, 'id'))),
    caseNo,
    notificationIds: listAt(listed, 'notifications').map((one) => String(valueAt(one, 'id'))),
    drillId: String(drillId),
    sku: textAt(record, 'product_sku'),
    location: textAt(events[0], 'location'),
    importId: await importWrongRow(address, cookie),
    ...(await makeWebhook(address, cookie)),
  };
}

/** @returns the id of an import with a wrong row */
async function importWrongRow(address: string, cookie: string): Promise<string> {
  const body = new FormData();
  body.append('file', new Blob([IMPORT]), 'bench.csv');
  await fetch(`${address}/v1/import/csv`, { method: 'POST', headers: HEADERS, body });
  const page = await fetch(`${address}/console/b/${TENANT}/imports`, { headers: { cookie } });
  return idIn(await page.text(), /\/imports\/(imp_\w+)"/);
}

async function makeWebhook(
  address: string,
  cookie: string,
): Promise<{ readonly webhookId: string; readonly deliveryId: string }> {
  const path = `${address}/console/b/${TENANT}/webhooks`;
  const post = async (url: string, values: Readonly<Record<string, string>>): Promise<void> => {
    const headers = { cookie, 'sec-fetch-site': 'same-origin' };
    const body = new URLSearchParams(values);
    const answer = await fetch(url, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  };
  const read = async (url: string): Promise<string> =>
    await (await fetch(url, { headers: { cookie } })).text();
  await post(path, { name: 'Bench', url: RECEIVER, 'lot.held': 'yes' });
  const webhookId = idIn(await read(path), /\/webhooks\/([^/"?]+)"/);
  await post(`${path}/${webhookId}/test`, {});
  const deliveryId = idIn(await read(`${path}/${webhookId}`), /\/deliveries\/([^/"?]+)"/);
  return { webhookId, deliveryId };
}

function idIn(page: string, pattern: RegExp): string {
  const [, id] = pattern.exec(page) ?? [];
  if (id === undefined) throw new Error(`a page has no link such as ${String(pattern)}`);
  return id;
}
