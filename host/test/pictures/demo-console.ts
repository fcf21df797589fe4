// What the picture of the console shows: the people of a brand of the demo, whose manager operates the hub as
// well.
import type { Page } from 'playwright-core';

const BRAND = 'haverfield';

/** The page is logged in as the operator; afterwards it shows the people of the brand. */
export async function fillConsole(page: Page): Promise<void> {
  await page.goto('/console/hub');
  await page.getByLabel('Id', { exact: true }).fill(BRAND);
  await page.getByRole('button', { name: 'Make the invitation' }).click();
  const link = await page.locator('#made-link').innerText();
  await page.goto(new URL(link.trim()).pathname);
  await page.locator('main button[type=submit]').click();
  await page.waitForURL(`**/console/b/${BRAND}`);
  for (const [email, role] of [
    ['quinn@haverfield.example', 'quality'],
    ['vera@haverfield.example', 'viewer'],
  ] as const) {
    await page.goto(`/console/b/${BRAND}/people`);
    await page.locator('#invite-email').fill(email);
    await page.getByLabel('Role', { exact: true }).selectOption(role);
    await page.getByRole('button', { name: 'Make the invitation' }).click();
  }
  await page.goto(`/console/b/${BRAND}/people`);
}
