// What the pictures of the console show beside the data of the demo: people, a recall case, a drill, a file with
// a wrong row, a webhook.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { DemoHub } from './demo-hub.ts';

export const BRAND = 'haverfield';
const RECALL = new URL('../../../examples/haverfield-recall.json', import.meta.url);
const BASE = `/console/b/${BRAND}`;
/** All pages are linked from these. */
export const CONSOLE_STARTS = [BASE, '/console/hub', '/console/me'];
/** Nobody is there, and no name of a machine ends like it (RFC 2606). */
const RECEIVER = 'https://erp.haverfield.invalid/lothub';
const WRONG_FILE = [
  'event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit',
  'RECEIVE,2026-03-02T07:15:00Z,HAV-BAKERY,PO-77,RYE-0302,RYE-FLOUR,in,much,kg',
].join('\n');

/** The page is logged in as the operator; afterwards it shows the people of the brand. */
export async function inviteTeam(page: Page): Promise<void> {
  await page.goto('/console/hub');
  await page.getByLabel('Id', { exact: true }).fill(BRAND);
  await page.getByRole('button', { name: 'Make the invitation' }).click();
  const link = await page.locator('#made-link').innerText();
  await page.goto(new URL(link.trim()).pathname);
  await page.locator('main button[type=submit]').click();
  await page.waitForURL(`**${BASE}`);
  for (const [email, role] of [
    ['quinn@haverfield.example', 'quality'],
    ['vera@haverfield.example', 'viewer'],
  ] as const) {
    await page.goto(`${BASE}/people`);
    await page.locator('#invite-email').fill(email);
    await page.getByLabel('Role', { exact: true }).selectOption(role);
    await page.getByRole('button', { name: 'Make the invitation' }).click();
  }
  await page.goto(`${BASE}/people`);
}

/** @returns the number of the case */
export async function openRecall({ base, tenantKey }: DemoHub): Promise<string> {
  const response = await fetch(`${base}/v1/recall/cases`, {
    method: 'POST',
    headers: {
      'X-Api-Key': tenantKey,
      'X-Tenant-Id': BRAND,
      'Content-Type': 'application/json',
    },
    body: readFileSync(RECALL, 'utf8'),
  });
  const answer: unknown = await response.json();
  if (typeof answer !== 'object' || answer === null || !('case_no' in answer)) {
    throw new Error(`The recall of the demo was refused: ${JSON.stringify(answer)}`);
  }
  return String(answer.case_no);
}

/** The page is logged in as a manager of the brand. */
export async function addWork(page: Page, hub: DemoHub): Promise<void> {
  const { base, tenantKey } = hub;
  await openRecall(hub);
  const drilled = await fetch(`${base}/v1/recall/drills`, {
    method: 'POST',
    headers: {
      ...{ 'X-Api-Key': tenantKey, 'X-Tenant-Id': BRAND },
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ lot_code: 'CAKE-0302', drilled_by: 'Annika' }),
  });
  if (!drilled.ok) throw new Error(`the drill of the demo was refused: ${await drilled.text()}`);
  await page.goto(`${BASE}/imports`);
  const file = { name: 'march.csv', mimeType: 'text/csv', buffer: Buffer.from(WRONG_FILE) };
  await page.locator('#file').setInputFiles(file);
  await page.locator('main form button[type=submit]').first().click();
  await page.getByRole('heading', { name: file.name }).waitFor();
  await page.locator('legend', { hasText: 'Row 2' }).waitFor();
  await page.goto(`${BASE}/webhooks`);
  const make = page.locator('#make');
  await make.getByLabel('Name').fill('ERP');
  await make.getByLabel('Address').fill(RECEIVER);
  await make.getByRole('button', { name: 'Make the webhook' }).click();
  await page.locator('#webhook-secret').waitFor();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.locator('#deliveries tbody tr').waitFor();
}
