// How long the page that verifies evidence takes for it in Chromium, without a network.
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Page } from 'playwright-core';
import type { ServiceChild } from '../kit/child.ts';
import type { Figures } from '../kit/figures.ts';
import { summarizeLatencies } from '../kit/load.ts';

const ROUNDS = 20;
const P95_MS = 500;
const PROVED = "Proved, operator's word only";
/** Clicks, and answers the milliseconds until the result is shown. */
const CLICK = `(() => {
  const result = document.querySelector('#result');
  const beganMs = performance.now();
  const { promise, resolve } = Promise.withResolvers();
  new MutationObserver(() => {
    if (!result.hidden) resolve(performance.now() - beganMs);
  }).observe(result, { attributes: true, childList: true, subtree: true });
  document.querySelector('button').click();
  return promise;
})()`;

/** @param options `evidence`: the file; `name`: of the figure */
export async function benchInBrowser(options: {
  readonly service: ServiceChild;
  readonly evidence: string;
  readonly name: string;
  readonly figures: Figures;
}): Promise<void> {
  const { service, evidence, name, figures } = options;
  const policy = await (await fetch(`${service.address}/log/1/policy`)).text();
  const browser = await launchBrowser();
  try {
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await browser.newPage();
      await page.goto(`${service.address}/verifier.html`);
      await page.context().setOffline(true);
      waits.push(await verify(page, { evidence, policy }));
      await page.context().close();
    }
    figures.addLatencies(name, summarizeLatencies(waits), { p95: P95_MS });
  } finally {
    await browser.close();
  }
}

async function verify(
  page: Page,
  { evidence, policy }: { readonly evidence: string; readonly policy: string },
): Promise<number> {
  const buffer = Buffer.from(evidence);
  const file = { name: 'lot.lothub-evidence.json', mimeType: 'application/json', buffer };
  await page.locator('#file').setInputFiles(file);
  await page.locator('#chosen', { hasText: file.name }).waitFor();
  await page.locator('#policy').fill(policy);
  const tookMs = Number(await page.evaluate(CLICK));
  const said = await page.locator('#result h2').innerText();
  if (said !== PROVED) throw new Error(`the page says of the evidence: ${said}`);
  return tookMs;
}
