// The page of an event and its correction in two steps: what a correction would change is said before it is done, and
// one that races another is refused with what counts now.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot } from '../../boot.ts';
import { BAKERY, HOSTILE, fillBakery, fillOther, post } from '../lots/bakery.ts';
import { newVisitor, readWords, type Page } from '../visitors.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const { received, baked, sold } = await fillBakery(booted);
const ofOther = await fillOther(booted);
const quality = await newVisitor(booted, { name: 'Quinn', brands: { bakery: 'quality' } });
const viewer = await newVisitor(booted, { name: 'Vera', brands: { bakery: 'viewer' } });

const buildPath = (id: number): string => `/console/b/bakery/events/${id}`;

/** The hidden fields of the last form of a page, and what its fields say. */
function valuesIn({ text }: Page): Record<string, string> {
  const form = /<form class="card correct"[^]*?<\/form>|<form class="row"[^]*?<\/form>/.exec(
    text,
  )?.[0];
  assert.ok(form !== undefined, text);
  const inputs = [...form.matchAll(/<input[^>]*?name="([^"]+)"[^>]*?value="([^"]*)"/g)];
  const areas = [...form.matchAll(/<textarea[^>]*?name="([^"]+)"[^>]*>\n?([^<]*)<\/textarea/g)];
  const chosen = [...form.matchAll(/<select[^>]*?name="([^"]+)"[^]*?value="([^"]*)"\s+selected/g)];
  return Object.fromEntries(
    [...inputs, ...areas, ...chosen].map(([, name = '', value = '']) => [
      name,
      value
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&amp;', '&'),
    ]),
  );
}

async function readForm(id: number, who = quality): Promise<Record<string, string>> {
  return valuesIn(await who.get(`${buildPath(id)}/correct`));
}

async function remaining(lotCode: string): Promise<unknown> {
  const { json } = await booted.call(`/v1/lots/${lotCode}`, { headers: BAKERY });
  return json['quantities']?.[0]?.['remaining'];
}

async function newReceipt(lotCode: string, quantity: number): Promise<number> {
  const line = {
    lot_code: lotCode,
    product_sku: 'S',
    direction: 'in' as const,
    quantity,
    unit: 'kg',
  };
  return await post(booted, { event_type: 'RECEIVE', reference: lotCode, lines: [line] });
}

test('an event is shown with its fields, lines and block; a viewer sees no way to correct it', async () => {
  const page = await viewer.get(buildPath(received));
  const asQuality = await quality.get(buildPath(received));

  const words = readWords(page);
  assert.match(words, /Receiving Event 1 · 2 March 2026 at 06:15 UTC/);
  assert.match(words, /place BAKERY-1 business reference PO-2026-0815 notes dry, sealed/);
  assert.match(words, /FLOUR-0711 FLOUR-T55 in 250\.5 kg Mill Brandt BR-2026-118/);
  assert.ok(page.text.includes(`href="/explorer/block/${received}"`));
  assert.ok(!page.text.includes('/correct'));
  assert.ok(asQuality.text.includes(`href="${buildPath(received)}/correct"`));
  assert.equal((await viewer.get(`${buildPath(received)}/correct`)).status, 403);
  assert.equal((await viewer.post(`${buildPath(received)}/correct`)).status, 403);
});

test('an event of another brand and one that is none are not there', async () => {
  for (const id of [String(ofOther), '999999', 'none', '-1', '1.5']) {
    const page = await viewer.get(`/console/b/bakery/events/${id}`);
    assert.equal(page.status, 404, id);
  }
});

test('a correction is shown before it is done: old beside new, and what then remains', async () => {
  const before = await remaining('FLOUR-0711');
  const values = { ...(await readForm(baked)), 'line-0-quantity': '90.2', reason: 'weighed again' };

  const preview = await quality.post(`${buildPath(baked)}/correct`, { ...values, step: 'preview' });
  const untouched = await remaining('FLOUR-0711');
  const done = await quality.post(`${buildPath(baked)}/correct`, {
    ...{ ...valuesIn(preview), step: 'confirm' },
  });

  assert.equal(preview.status, 200);
  const words = readWords(preview);
  assert.match(words, /quantity, line 1 100\.2 90\.2 Reason: weighed again/);
  assert.match(words, /FLOUR-0711 FLOUR-T55 150\.25 kg 160\.25 kg/);
  assert.match(words, /No open case covers lots of this event/);
  assert.doesNotMatch(words, /BREAD-0302 RYE/);
  assert.deepEqual([before, untouched, await remaining('FLOUR-0711')], [150.25, 150.25, 160.25]);
  assert.equal(done.location, `${buildPath(baked)}?done=corrected`);
  const after = readWords(await viewer.get(`${buildPath(baked)}?done=corrected`));
  assert.match(after, /The event is corrected/);
  assert.match(after, /quantity, line 1: 100\.2 90\.2 weighed again Quinn · /);
});

test('the preview names the open cases that cover lots of the event', async () => {
  const id = await newReceipt('CASE-1', 5);
  const opened = await booted.post(
    '/v1/recall/cases',
    {
      ...{ seed_lot_code: 'CASE-1', title: 'Glass in flour', reason: 'A sherd was found' },
      ...{ opened_by: 'Ada', auto_hold: false },
    },
    BAKERY,
  );
  assert.equal(opened.status, 201, opened.text);

  const values = { ...(await readForm(id)), 'line-0-lot_code': 'CASE-2', reason: 'another lot' };
  const preview = await quality.post(`${buildPath(id)}/correct`, values);

  const words = readWords(preview);
  assert.match(words, /CASE-1 .*5 kg 0 kg/);
  assert.match(words, /CASE-2 New lot S 0 kg 5 kg/);
  assert.match(words, /RC-\d{4}-\d+ Glass in flour/);
  assert.match(words, /Lots may enter or leave them/);
});

test('a correction that races another is refused with what counts now, and is done after a second look', async () => {
  const id = await newReceipt('RACE-1', 10);
  const values = { ...(await readForm(id)), 'line-0-quantity': '12', reason: 'counted again' };
  const preview = await quality.post(`${buildPath(id)}/correct`, values);
  const other = await booted.post(
    '/v1/corrections',
    {
      ...{ corrects_event_id: id, reason: 'other', requested_by: 'Jane' },
      changes: [
        { field: 'lines[0].quantity', old_value: 10, new_value: 11 },
        { field: 'location', old_value: 'BAKERY-1', new_value: 'BAKERY-2' },
      ],
    },
    BAKERY,
  );
  assert.equal(other.status, 201);

  const refused = await quality.post(`${buildPath(id)}/correct`, {
    ...{ ...valuesIn(preview), step: 'confirm' },
  });
  const again = valuesIn(refused);
  const second = await quality.post(`${buildPath(id)}/correct`, { ...again, step: 'preview' });
  await quality.post(`${buildPath(id)}/correct`, { ...valuesIn(second), step: 'confirm' });

  assert.equal(refused.status, 409);
  assert.match(
    readWords(refused),
    /Nothing was done: somebody else corrected this event meanwhile/,
  );
  assert.match(readWords(refused), /it is now: 11/);
  assert.equal(again['line-0-quantity'], '12');
  assert.equal(again['location'], 'BAKERY-2');
  assert.match(readWords(second), /quantity, line 1 11 12/);
  assert.doesNotMatch(readWords(second), /BAKERY-1/);
  assert.equal(await remaining('RACE-1'), 12);
});

test('an event that did not happen is voided in two steps, and cannot be corrected after that', async () => {
  const id = await newReceipt('VOID-1', 3);
  const form = { void: 'yes', reason: 'posted twice' };

  const preview = await quality.post(`${buildPath(id)}/correct`, { ...form, step: 'preview' });
  const done = await quality.post(`${buildPath(id)}/correct`, {
    ...valuesIn(preview),
    step: 'confirm',
  });
  const later = await quality.post(`${buildPath(id)}/correct`, { ...form, step: 'confirm' });

  assert.match(readWords(preview), /whether it happened it happened it did not happen/);
  assert.match(readWords(preview), /VOID-1 S 3 kg 0 kg/);
  assert.equal(done.location, `${buildPath(id)}?done=voided`);
  assert.equal(later.status, 400);
  assert.match(readWords(later), /did not happen, as a correction says/);
  assert.match(readWords(await viewer.get(buildPath(id))), /Did not happen/);
  assert.ok(!(await quality.get(buildPath(id))).text.includes('/correct"'));
});

test('what is wrong is said in German beside its field, nothing that was typed is lost', async () => {
  const values = {
    ...(await readForm(received)),
    ...{ 'line-0-quantity': '1.000,5', location: '', occurred_at: 'gestern', reason: '' },
  };

  const page = await quality.post(`${buildPath(received)}/correct?lang=de`, values);
  const shape = await quality.post(`${buildPath(received)}/correct?lang=de`, {
    ...{ ...values, 'line-0-quantity': '250,5', reason: 'falsch' },
  });
  const nothing = await quality.post(`${buildPath(received)}/correct?lang=de`, {
    ...{ ...(await readForm(received)), 'line-0-quantity': '250,50', reason: 'nichts' },
  });

  assert.equal(page.status, 422);
  assert.match(page.text, /id="line-0-quantity-error"/);
  assert.match(page.text, /id="reason-reason-error"/);
  assert.ok(page.text.includes('value="1.000,5"') && page.text.includes('value="gestern"'));
  assert.equal(shape.status, 422);
  assert.match(shape.text, /id="occurred_at-error"/);
  assert.match(shape.text, /id="location-error"/);
  assert.doesNotMatch(readWords(shape), /Input should|must match/);
  assert.match(readWords(nothing), /Noch ist nichts geändert/);
});

test('the customer of a sale is corrected, and is nowhere in the open', async () => {
  const values = {
    ...(await readForm(sold)),
    'line-0-customer_ref': 'CUST-99',
    reason: 'other shop',
  };

  const preview = await quality.post(`${buildPath(sold)}/correct`, values);
  await quality.post(`${buildPath(sold)}/correct`, { ...valuesIn(preview), step: 'confirm' });
  const { json } = await booted.call(`/v1/events/${sold}`, { headers: BAKERY });

  assert.match(readWords(preview), /customer, line 1 CUST-4711 CUST-99/);
  assert.match(readWords(preview), /No quantity changes/);
  assert.equal(json['lines']?.[0]?.['customer_ref'], 'CUST-99');
  assert.doesNotMatch((await booted.call(`/public/explorer/blocks/${sold}`)).text, /CUST-/);
  assert.equal((await readForm(received))['line-0-customer_ref'], undefined);
});

test('going back from the preview keeps what was typed', async () => {
  const values = { ...(await readForm(received)), notes: HOSTILE, reason: 'because' };
  const preview = await quality.post(`${buildPath(received)}/correct`, values);

  const back = await quality.post(`${buildPath(received)}/correct`, {
    ...{ ...valuesIn(preview), step: 'back' },
  });

  assert.ok(!preview.text.includes('<img src=x'));
  assert.equal(back.status, 200);
  assert.equal(valuesIn(back)['notes'], HOSTILE);
  assert.equal(valuesIn(back)['reason'], 'because');
});

test('who recorded an event on a lot on hold is named on its page', async () => {
  await newReceipt('HELD-1', 3);
  await quality.post('/console/b/bakery/lots/HELD-1/hold', { reason: 'mould' });
  const line = {
    lot_code: 'HELD-1',
    product_sku: 'S',
    direction: 'out' as const,
    quantity: 1,
    unit: 'kg',
  };
  const id = await post(booted, { event_type: 'SHIP', reference: 'D-7', lines: [line] });

  const words = readWords(await viewer.get(buildPath(id)));

  assert.match(
    words,
    /On hold when this was recorded: HELD-1 ?\. Recorded by tenant key of the settings/,
  );
});

test('an event says who posted it and what the post was warned of, to its brand alone', async () => {
  const line = {
    lot_code: 'P-1',
    product_sku: 'S',
    direction: 'in',
    quantity: 1,
    unit: 'kg',
  } as const;
  const id = await post(booted, {
    ...{ event_type: 'RECEIVE', occurred_at: '2026-03-02T06:15:00', lines: [line] },
  });

  const form = await quality.post('/console/b/bakery/record', {
    ...{ type: 'RECEIVE', lines: '1', external_id: 'rec-1', store: 'yes', timezone: 'UTC' },
    ...{ location: 'BAKERY-1', reference: 'LS-1', occurred_at: '2026-07-02T07:15' },
    ...{ 'line_0.lot_code': 'P-2', 'line_0.product_sku': 'S' },
    ...{ 'line_0.quantity': '12', 'line_0.unit': 'kg' },
  });

  const words = readWords(await viewer.get(buildPath(id)));
  const ofForm = readWords(await viewer.get(buildPath(id + 1)));

  assert.equal(form.status, 303, form.text);
  assert.match(ofForm, /posted by .{0,30}Quinn/);
  assert.doesNotMatch(ofForm, /Worth a look/);
  assert.match(words, /posted by Key: tenant key/);
  assert.match(words, /Worth a look when it was recorded: The time zone is not known/);
  assert.doesNotMatch(readWords(await viewer.get(buildPath(received))), /Worth a look/);
  const { text } = await booted.call(`/public/explorer/blocks/${id}`);
  assert.doesNotMatch(text, /no_offset|"actor"/);
});

test('of a batch each event has its own warnings', async () => {
  const line = { lot_code: 'P-3', product_sku: 'S', direction: 'in', quantity: 1, unit: 'kg' };
  const event = { event_type: 'RECEIVE', location: 'L', reference: 'B', lines: [line] };
  const { json } = await booted.post(
    '/v1/events/batch',
    {
      events: ['2026-03-02T06:15:00', '2026-03-02T06:15:00Z'].map((occurred_at) => ({
        ...{ ...event, occurred_at },
      })),
    },
    { 'X-Tenant-Id': 'bakery' },
  );
  const [first, second] = [json['results']?.[0]?.['id'], json['results']?.[1]?.['id']];

  const warned = readWords(await viewer.get(buildPath(Number(first))));
  const fine = readWords(await viewer.get(buildPath(Number(second))));

  assert.match(warned, /Worth a look when it was recorded: The time zone/);
  assert.match(fine, /posted by/);
  assert.doesNotMatch(fine, /Worth a look/);
});
