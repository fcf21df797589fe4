// The report of a recall case as its tenant gets it: what it says of a supply chain, that it holds
// nothing back and lets nothing in, and whom it is not for.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot, newTenant, valueAt } from '../boot.ts';
import { RecallTenant, readArray, codeFrom, made, used } from './tenant.ts';

/** What tenants may write, and readers may not come to harm by. */
const HOSTILE = [
  `</style><script>alert(1)</script>`,
  `"><img src=x onerror='alert(2)'>`,
  '\u202egnorw\u2066',
  'zero\u200bwidth\u200djoined',
  '&amp;lt;b&gt;',
];

const hub = await openForFile(
  boot({
    env: { HUB_NAME: 'Hub </style> 1', PUBLIC_URL: 'https://trace.example.com/' },
  }),
);

/** Flour of a mill, bread of it, shipped and sold to two customers, one of whom answers. */
async function bakery(): Promise<{ readonly tenant: RecallTenant; readonly caseNo: string }> {
  const tenant = new RecallTenant(hub);
  const provenance = { supplier_name: 'Mill Brandt', supplier_lot_code: 'BR-118' };
  await tenant.post({ lines: [aLine({ lot_code: 'FLOUR-1', ...provenance })] });
  await tenant.post({
    event_type: 'PRODUCE',
    reference: 'WO-77',
    lines: [
      { ...used('FLOUR-1'), product_sku: 'FLOUR-T55', quantity: 50, unit: 'kg' },
      { ...made('BREAD-1'), product_sku: 'RYE-750', quantity: 100, unit: 'pcs' },
    ],
  });
  const bread = { ...made('BREAD-1'), product_sku: 'RYE-750', unit: 'pcs' };
  await tenant.post({
    event_type: 'SHIP',
    reference: 'DN-4000',
    lines: [{ ...bread, quantity: 60 }],
  });
  const sale = await tenant.post({
    event_type: 'SELL',
    reference: 'R-1',
    lines: [
      { ...bread, quantity: 30, customer_ref: 'CUST-1', channel: 'Webshop Nord' },
      { ...bread, quantity: 18, customer_ref: 'CUST-2', channel: 'Market hall' },
    ],
  });
  const corrected = await hub.post(
    '/v1/corrections',
    {
      corrects_event_id: valueAt(sale.json, 'id'),
      reason: 'Counted again',
      requested_by: 'Ben Carter',
      changes: [{ field: 'lines[1].quantity', old_value: 18, new_value: 20 }],
    },
    tenant.headers,
  );
  assert.equal(corrected.status, 201, corrected.text);
  const opened = await tenant.open('FLOUR-1', { severity: 'class_ii' });
  const caseNo = String(opened['case_no']);
  await tenant.moveThrough(caseNo, 'notification');
  const notifications = await tenant.get(
    `/v1/recall/cases/${caseNo}/notifications?audience=customer`,
  );
  const first = readArray(notifications.json['notifications'])[0];
  const answer = await hub.call(
    `/v1/recall/cases/${caseNo}/notifications/${String(first?.['id'])}`,
    {
      method: 'PATCH',
      headers: { ...tenant.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status: 'acknowledged', response: '29 taken back' }),
    },
  );
  assert.equal(answer.status, 200, answer.text);
  return { tenant, caseNo };
}

/** Text as a reader sees it, with single spaces. */
function toPlainText(markup: string): string {
  return markup
    .replace(/<style>.*<\/style>/s, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ');
}

test('the report says what, why, which lots, where they went, who answered, and how to check it', async () => {
  const { tenant, caseNo } = await bakery();

  const answer = await tenant.get(`/v1/recall/cases/${caseNo}/report`);

  assert.equal(answer.status, 200, answer.text);
  assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.equal(answer.headers.get('content-disposition'), `inline; filename="${caseNo}.html"`);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const text = toPlainText(answer.text);
  const tip = valueAt((await hub.call('/public/explorer')).json, 'stats', 'height');
  for (const said of [
    `Recall report ${caseNo}`,
    'Metal in rye bread',
    'A broken sieve wire was found',
    'Class II: use may cause temporary harm',
    'by Ada Miller',
    'investigation → notification',
    'no limit of depth',
    `complete through block ${String(tip)}`,
    'Lots covered (2)',
    'BREAD-1 RYE-750 descendant, 1 recalled on hold 40 pcs the opening',
    'FLOUR-1 FLOUR-T55 the lot itself recalled on hold 200.5 kg the opening',
    'CUST-1 1 30 pcs Webshop Nord',
    'CUST-2 1 20 pcs Market hall',
    'Webshop Nord online shops',
    'State of the case: notification',
    'BAKERY-1 DN-4000 BREAD-1 RYE-750 60 pcs',
    'Mill Brandt not recorded BR-118 FLOUR-T55 FLOUR-1',
    'RYE-750 , pcs 100 40 0 0 60 30 70 %',
    'FLOUR-T55 , kg 250.5 200.5 50 0 0 0 100 %',
    'customer: CUST-1 1 30 pcs acknowledged',
    '29 taken back',
    'Counted again quantity, line 2: 18 → 20',
    'sha256sum',
    'verify.py --url https://trace.example.com',
    'Received by (authority)',
  ]) {
    assert.ok(text.includes(said), `${said}\n${text}`);
  }
});

test('every hash of the evidence is that of its block', async () => {
  const { tenant, caseNo } = await bakery();

  const { text } = await tenant.get(`/v1/recall/cases/${caseNo}/report`);

  const evidence = [
    ...text
      .slice(text.indexOf('id="evidence"'))
      .matchAll(/block\/(\d+)">[^<]*<\/a>\D*?<code class="hash">([0-9a-f]{64})</g),
  ];
  assert.ok(evidence.length >= 7, text);
  for (const [, height, hash] of evidence) {
    const block = await hub.call(`/public/explorer/block/${height}`);
    const canonical = String(valueAt(block.json, 'canonical'));
    assert.equal(createHash('sha256').update(canonical).digest('hex'), hash);
  }
});

test('the policy allows the style sheet of the page and nothing else', async () => {
  const { tenant, caseNo } = await bakery();

  const { text, headers } = await tenant.get(`/v1/recall/cases/${caseNo}/report`);

  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
  const digest = createHash('sha256').update(style).digest('base64');
  assert.equal(
    headers.get('content-security-policy'),
    `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'; ` +
      "frame-ancestors 'none'",
  );
  assert.doesNotMatch(text, /<script|<link|<img|<iframe|\sstyle=|\son\w+=|url\(|@import/i);
});

test('what tenants write shows as text and becomes nothing else', async () => {
  const tenant = new RecallTenant(hub);
  const longest = 'W'.repeat(100);
  for (const [index, hostile] of [...HOSTILE, longest].entries()) {
    await tenant.post({
      reference: `R-${index}`,
      location: hostile,
      lines: [
        aLine({
          lot_code: codeFrom(hostile),
          product_sku: codeFrom(hostile),
          unit: 'kg<u>',
          supplier_name: hostile,
          supplier_lot_code: codeFrom(`S-${hostile}`),
        }),
      ],
    });
  }
  await tenant.post({
    event_type: 'PRODUCE',
    reference: HOSTILE[0],
    lines: [...HOSTILE, longest]
      .map(codeFrom)
      .map(used)
      .concat([made('<b>OUT</b>')]),
  });
  const sold = { ...made('<b>OUT</b>'), customer_ref: HOSTILE[1], channel: HOSTILE[0] };
  await tenant.post({ event_type: 'SELL', reference: HOSTILE[1], lines: [sold] });
  await tenant.post({
    event_type: 'SHIP',
    reference: HOSTILE[1],
    location: HOSTILE[0],
    lines: [made('<b>OUT</b>')],
  });
  const opened = await tenant.open('<b>OUT</b>', {
    title: HOSTILE.join(' ').slice(0, 200),
    reason: HOSTILE.join('\n'),
    opened_by: HOSTILE[1],
  });
  await tenant.move(opened['case_no'], 'notification', {
    note: HOSTILE[0],
    changed_by: HOSTILE[1],
  });

  const { text } = await tenant.get(`/v1/recall/cases/${String(opened['case_no'])}/report`);

  assert.doesNotMatch(text, /<script|<img|<b>|<u>|<i>/i);
  assert.equal(text.match(/<\/style>/g)?.length, 1);
  for (const hostile of [String(HOSTILE[0]), String(HOSTILE[1]), '<b>OUT</b>', longest]) {
    assert.ok(toPlainText(text).includes(hostile), hostile);
  }
});

test('a case on a supplier’s lot is reported from what came in under its code, also once it is closed', async () => {
  const { tenant } = await bakery();
  const opened = await tenant.open('BR-118', { auto_hold: false });
  const caseNo = String(opened['case_no']);
  await tenant.moveThrough(caseNo, 'notification', 'containment', 'closed');
  await tenant.produce(['BREAD-1'], ['CRUMBS-1']);

  const text = toPlainText((await tenant.get(`/v1/recall/cases/${caseNo}/report`)).text);

  assert.match(text, /BR-118 , a supplier’s lot/);
  assert.match(text, /the lots that came in under the supplier’s lot code BR-118/);
  assert.match(text, /State of the case: closed/);
  assert.match(text, /FLOUR-1 FLOUR-T55 descendant, 1/);
  assert.match(text, /Lots covered \(2\)/);
  assert.doesNotMatch(text, /CRUMBS-1/);
});

test('a lot that is an ancestor and a descendant is called both', async () => {
  const tenant = new RecallTenant(hub);
  await tenant.produce(['SOUR-1'], ['DOUGH-1']);
  await tenant.produce(['DOUGH-1'], ['SOUR-1']);
  const opened = await tenant.open('SOUR-1', {});

  const text = toPlainText(
    (await tenant.get(`/v1/recall/cases/${String(opened['case_no'])}/report`)).text,
  );

  assert.match(text, /DOUGH-1 \S+ ancestor and descendant, 1/);
});

test('a case of another tenant, and one that does not exist, are answered alike', async () => {
  const { caseNo } = await bakery();
  const stranger = new RecallTenant(hub, newTenant());

  const [other, none] = await Promise.all([
    stranger.get(`/v1/recall/cases/${caseNo}/report`),
    stranger.get('/v1/recall/cases/RC-2026-9999/report'),
  ]);

  assert.equal(other.status, 404);
  assert.deepEqual(other.json, none.json);
});

test('a report without a key is refused', async () => {
  const { caseNo } = await bakery();

  const answer = await hub.call(`/v1/recall/cases/${caseNo}/report`, {
    headers: { 'X-Api-Key': 'wrong' },
  });

  assert.equal(answer.status, 401);
});
