// A manager sets up a webhook in a real Chromium: makes it, copies its secret, sends a test, sees a hold arrive, gives
// it another secret and connects a group of the inbox; and how the pages look with hostile and very long texts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { startReceiver } from '@lothub/delivery/test/receiver';
import { Webhook as Verifier } from 'standardwebhooks';
import type { Booted } from '../../boot.ts';
import { RecallTenant } from '../../recall/tenant.ts';
import {
  answerWith,
  bootSending,
  fillBoxes,
  newReceiver,
  parseMessage,
  until,
  webhookIdIn,
} from '../../webhooks/receiving.ts';
import { assertWhole, browse } from '../browsing.ts';
import { newVisitor, readWords } from '../visitors.ts';

const LONG = `${'Störungsdienst'.repeat(7)}`;
const ARABIC = 'خدمة الأعطال <b>&';
const browser = await launchBrowser();
after(() => browser.close());

let hub: Booted;
before(async () => {
  hub = await bootSending({
    inbox: {
      listGroups: async () => [
        { id: 'grp_1', name: 'Schichtleitung' },
        { id: 'grp_2', name: LONG + ARABIC },
      ],
      connect: async () => 'key_1',
      disconnect: async () => 'revoked',
      post: async () => 'posted',
    },
  });
});
after(() => hub[Symbol.asyncDispose]());

async function hold(tenant: RecallTenant, lotCode: string): Promise<void> {
  const body = { reason: 'a smell', by: 'Ada' };
  const answer = await hub.post(`/v1/lots/${lotCode}/hold`, body, tenant.headers);
  assert.ok([200, 201].includes(answer.status), answer.text);
}

for (const javaScriptEnabled of [true, false]) {
  test(`a manager sets a webhook up, scripts ${javaScriptEnabled ? 'on' : 'off'}`, async () => {
    const tenant = new RecallTenant(hub);
    await tenant.receive('FLOUR');
    const person = await newVisitor(hub, { brands: { [tenant.id]: 'manager' } });
    await using receiver = await startReceiver({ answer: answerWith(204) });
    await using ada = await browse(browser, hub.base, { person, javaScriptEnabled });
    const { page } = ada;

    await page.goto(`/console/b/${tenant.id}`);
    await page.getByRole('link', { name: 'Webhooks' }).first().click();
    const make = page.locator('#make');
    await make.getByLabel('Name').fill('ERP');
    await make.getByLabel('Address').fill(`${receiver.base}/hook`);
    for (const type of ['Recall opened', 'Alarm of the chain']) {
      await make.getByLabel(type).uncheck();
    }
    await make.getByRole('button', { name: 'Make the webhook' }).click();
    const secret = (await page.locator('#webhook-secret').innerText()).trim();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await receiver.arrived(1);
    await hold(tenant, 'FLOUR');
    await receiver.arrived(2);
    await until('the page shows it', async () => {
      await page.reload();
      return (await page.getByText('Delivered').count()) === 2;
    });
    const rows = await page.locator('#deliveries tbody tr').allInnerTexts();
    await page.getByText('Change the secret').first().click();
    await page.getByRole('button', { name: 'Change it now' }).click();
    const next = (await page.locator('#webhook-secret').innerText()).trim();

    assert.match(rows[0] ?? '', /Lots held[^]*HTTP 204/);
    for (const { body, headers } of receiver.received) {
      new Verifier(secret).verify(body, headers as Record<string, string>);
    }
    assert.deepEqual(
      receiver.received.map((one) => parseMessage(one).type),
      ['webhook.test', 'lot.held'],
    );
    assert.notEqual(next, secret);
    assert.deepEqual(ada.complaints, []);
  });
}

test('the pages are whole, whatever is on them', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR', 'YEAST');
  await using to = await newReceiver({
    booted: hub,
    brand: tenant.id,
    answer: answerWith(204, 307),
  });
  const person = to.manager;
  const list = `/console/b/${tenant.id}/webhooks`;
  const url = `https://receiver.example/${'a'.repeat(300)}`;
  const long = await person.post(list, { name: LONG, url, ...fillBoxes(['recall.opened']) });
  await person.post(list, { name: ARABIC, url, ...fillBoxes(['recall.inbound']) });
  await hold(tenant, 'FLOUR');
  await hold(tenant, 'YEAST');
  await until('a redirect is on record', async () =>
    readWords(await person.get(to.path)).includes('HTTP 307'),
  );
  const [delivery = ''] = /\/deliveries\/msg_\w+/.exec((await person.get(to.path)).text) ?? [];

  await assertWhole(browser, hub.base, {
    person,
    paths: [list, to.path, to.path + delivery, `${list}/${webhookIdIn(long)}`],
  });
});
