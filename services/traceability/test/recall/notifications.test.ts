// The outbox of a recall case: what the brand's own tools pull, and what they confirm.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';
import { caughtUp } from './following.ts';

const hub = await openForFile(boot());

interface Case {
  readonly tenantId: string;
  readonly caseNo: string;
}

const sale = (lotCode: string, changes: object): object =>
  anEvent({
    event_type: 'SELL',
    lines: [aLine({ lot_code: lotCode, direction: 'out', quantity: 12, unit: 'pcs', ...changes })],
  });

async function post(tenantId: string, events: readonly object[]): Promise<void> {
  const answer = await hub.post('/v1/events/batch', { events }, { 'X-Tenant-Id': tenantId });
  assert.equal(answer.status, 201, answer.text);
}

/** A case on a lot that was received from a mill and sold to two customers, at `notification`. */
async function notifiedCase(): Promise<Case> {
  const tenantId = newTenant();
  await post(tenantId, [
    anEvent({ lines: [aLine({ supplier_name: 'Mill' })] }),
    anEvent({
      event_type: 'PRODUCE',
      lines: [aLine({ direction: 'in' }), aLine({ lot_code: 'BREAD-1', direction: 'out' })],
    }),
    sale('BREAD-1', { customer_ref: 'C-1', channel: 'webshop' }),
    sale('FLOUR-1', { customer_ref: 'C-1', channel: 'webshop', quantity: 0.1 }),
    sale('BREAD-1', { customer_ref: 'C-2', channel: 'restaurant', quantity: 3 }),
    sale('BREAD-1', { customer_ref: 'C-2', quantity: 4, unit: 'kg' }),
  ]);
  const opened = await hub.post(
    '/v1/recall/cases',
    { seed_lot_code: 'FLOUR-1', title: 'Metal', reason: 'A sieve broke', opened_by: 'Ada' },
    { 'X-Tenant-Id': tenantId },
  );
  const caseNo = String(opened.json['case_no']);
  await patch(tenantId, `/v1/recall/cases/${caseNo}/status`, { status: 'notification' });
  return { tenantId, caseNo };
}

async function patch(tenantId: string, path: string, body: unknown): Promise<Answer> {
  return await hub.call(path, {
    method: 'PATCH',
    headers: { 'X-Tenant-Id': tenantId, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function list({ tenantId, caseNo }: Case, query = ''): Promise<Answer> {
  return await hub.call(`/v1/recall/cases/${caseNo}/notifications${query}`, {
    headers: { 'X-Tenant-Id': tenantId },
  });
}

function notificationsIn(answer: Answer): readonly Record<string, unknown>[] {
  const rows = valueAt(answer.json, 'notifications');
  assert.ok(Array.isArray(rows), answer.text);
  return rows as readonly Record<string, unknown>[];
}

async function confirm(recallCase: Case, id: unknown, body: unknown): Promise<Answer> {
  return await patch(
    recallCase.tenantId,
    `/v1/recall/cases/${recallCase.caseNo}/notifications/${String(id)}`,
    body,
  );
}

async function readId(recallCase: Case, recipient: string): Promise<unknown> {
  const rows = notificationsIn(await list(recallCase));
  return rows.find((row) => row['recipient'] === recipient)?.['id'];
}

test('whom a case concerns is listed with what reached them, computed from what counts now', async () => {
  const notified = await notifiedCase();

  const before = notificationsIn(await list(notified));
  await post(notified.tenantId, [sale('BREAD-1', { customer_ref: 'C-1', quantity: 0.2 })]);
  const after = notificationsIn(await list(notified, '?audience=customer&limit=1'));

  const brief = (row: Record<string, unknown>): string =>
    [row['audience'], row['recipient'], row['lots'], row['quantity'], row['unit'], row['status']]
      .map(String)
      .join(' ');
  assert.deepEqual(before.map(brief).toSorted(), [
    'channel restaurant 1 3 pcs ready',
    'channel webshop 2 12.1 pcs ready',
    'customer C-1 2 12.1 pcs ready',
    'customer C-2 1 null null ready',
    'internal_qa internal_qa 2 null null ready',
    'public public 2 null null ready',
    'regulator regulator 2 null null ready',
    'supplier Mill 1 null null ready',
  ]);
  assert.deepEqual(before.find((row) => row['recipient'] === 'C-2')?.['quantities'], [
    { quantity: 4, unit: 'kg' },
    { quantity: 3, unit: 'pcs' },
  ]);
  assert.deepEqual(after.map(brief), ['customer C-1 2 12.3 pcs ready']);
});

test('pages follow each other, and filters narrow them', async () => {
  const notified = await notifiedCase();
  const all = notificationsIn(await list(notified)).map((row) => row['id']);
  await confirm(notified, all[0], { status: 'sent' });

  const pages: unknown[] = [];
  let next: unknown = undefined;
  do {
    const page = await list(
      notified,
      `?limit=3${next === undefined ? '' : `&after=${String(next)}`}`,
    );
    pages.push(...notificationsIn(page).map((row) => row['id']));
    next = page.json['next'];
  } while (next !== null);

  assert.deepEqual(pages, all);
  assert.deepEqual(
    notificationsIn(await list(notified, '?status=sent')).map((row) => row['id']),
    [all[0]],
  );
  assert.equal(notificationsIn(await list(notified, '?audience=channel')).length, 2);
});

test('a confirmation moves a notification forward, said again it changes nothing', async () => {
  const notified = await notifiedCase();
  const id = await readId(notified, 'C-1');

  const sent = await confirm(notified, id, {
    status: 'sent',
    changed_by: 'Ada',
    trace: 'unknown key',
  });
  const again = await confirm(notified, id, { status: 'sent' });
  const resolved = await confirm(notified, id, {
    status: 'resolved',
    response: '12 pieces destroyed',
  });

  assert.equal(sent.status, 200, sent.text);
  assert.equal(sent.json['status'], 'sent');
  assert.equal(sent.json['response'], null);
  assert.equal(sent.json['resolved_at'], null);
  assert.equal(typeof sent.json['sent_at'], 'string');
  const { warnings, ...confirmed } = sent.json;
  assert.equal(valueAt(warnings, 0, 'code'), 'unknown_keys');
  assert.match(String(valueAt(warnings, 0, 'message')), /ignored: trace;/);
  assert.deepEqual(again.json, confirmed);
  assert.equal(resolved.json['status'], 'resolved');
  assert.equal(resolved.json['sent_at'], sent.json['sent_at']);
  assert.equal(resolved.json['acknowledged_at'], null);
  assert.equal(resolved.json['response'], '12 pieces destroyed');
  const entries = await hub.database.rows(
    `select actor, details from audit_entries
    where action = 'update_notification' and entity_id = ? order by id`,
    `${notified.caseNo}/${String(id)}`,
  );
  assert.deepEqual(
    entries.map((entry): unknown => JSON.parse(String(entry['details']))),
    [
      { audience: 'customer', from: 'ready', to: 'sent' },
      { audience: 'customer', from: 'sent', to: 'resolved' },
    ],
  );
  assert.match(String(entries[0]?.['actor']), /\(Ada\)$/);
});

test('what was answered may be entered later than the step', async () => {
  const notified = await notifiedCase();
  const id = await readId(notified, 'C-1');
  await confirm(notified, id, { status: 'acknowledged' });

  const confirmed = await confirm(notified, id, {
    status: 'acknowledged',
    response: 'still searching',
  });

  assert.equal(confirmed.json['response'], 'still searching');
  assert.equal(confirmed.json['status'], 'acknowledged');
});

test('a step back is refused, and so is a step out of pending', async () => {
  const notified = await notifiedCase();
  const id = await readId(notified, 'C-1');
  await confirm(notified, id, { status: 'acknowledged' });
  const second = await hub.post(
    '/v1/recall/cases',
    { seed_lot_code: 'FLOUR-1', title: 'Again', reason: 'A sieve broke', opened_by: 'Ada' },
    { 'X-Tenant-Id': notified.tenantId },
  );
  const pending = { ...notified, caseNo: String(second.json['case_no']) };

  const back = await confirm(notified, id, { status: 'sent' });
  const early = await confirm(pending, await readId(pending, 'C-1'), { status: 'sent' });

  assert.deepEqual([back.status, early.status], [400, 400]);
  assert.equal(
    back.json['detail'],
    'The notification is acknowledged and cannot move to sent: from there it may move to resolved',
  );
  assert.equal(
    early.json['detail'],
    'The notification is pending and cannot move to sent: it becomes ready when the case reaches notification',
  );
});

test('an unknown word is a 422, what is unknown or of somebody else a 404', async () => {
  const notified = await notifiedCase();
  const other = await notifiedCase();
  const id = await readId(notified, 'C-1');

  const word = await confirm(notified, id, { status: 'delivered' });
  const nothing = await confirm(notified, id, {});
  const unknown = await confirm(notified, 999_999, { status: 'sent' });
  const ofOtherCase = await confirm(other, id, { status: 'sent' });
  const ofOtherTenant = await confirm({ ...notified, tenantId: other.tenantId }, id, {
    status: 'sent',
  });
  const listed = await list({ ...notified, tenantId: other.tenantId });

  assert.deepEqual(
    [word, nothing, unknown, ofOtherCase, ofOtherTenant, listed].map(({ status }) => status),
    [422, 422, 404, 404, 404, 404],
  );
  assert.deepEqual(valueAt(word.json, 'detail', 0, 'loc'), ['body', 'status']);
  assert.equal(valueAt(nothing.json, 'detail', 0, 'type'), 'missing');
});

test('two confirmations that meet: one wins, the other is judged against it', async () => {
  const notified = await notifiedCase();
  const id = await readId(notified, 'C-1');

  const answers = await Promise.all(
    ['sent', 'acknowledged', 'resolved'].map((status) => confirm(notified, id, { status })),
  );
  const last = notificationsIn(await list(notified)).find((row) => row['id'] === id);

  assert.equal(answers[2]?.status, 200);
  for (const answer of answers) assert.ok([200, 400].includes(answer.status), answer.text);
  assert.equal(last?.['status'], 'resolved');
});

test('a late sale adds a notification that is ready at once', async () => {
  const notified = await notifiedCase();

  await post(notified.tenantId, [sale('BREAD-1', { customer_ref: 'C-9' })]);
  await caughtUp(hub);

  const rows = notificationsIn(await list(notified));
  const late = rows.find((row) => row['recipient'] === 'C-9');
  assert.equal(late?.['status'], 'ready');
  assert.equal(late['ready_at'], late['created_at']);
});

test('a case tells who was notified, who answered, and how much of what was sold is with them', async () => {
  const notified = await notifiedCase();
  await confirm(notified, await readId(notified, 'C-1'), { status: 'acknowledged' });
  await confirm(notified, await readId(notified, 'C-2'), { status: 'sent' });
  await confirm(notified, await readId(notified, 'Mill'), { status: 'resolved' });

  const detail = await hub.call(`/v1/recall/cases/${notified.caseNo}`, {
    headers: { 'X-Tenant-Id': notified.tenantId },
  });

  const figures = valueAt(detail.json, 'effectiveness');
  assert.deepEqual(
    ['notifications', 'notified', 'responded', 'silent'].map((name) => valueAt(figures, name)),
    [8, 3, 2, 1],
  );
  const customers = { notifications: 2, notified: 2, responded: 1, silent: 1 };
  assert.deepEqual(valueAt(figures, 'by_audience', 0), { audience: 'customer', ...customers });
  assert.deepEqual(valueAt(figures, 'quantities'), [
    { unit: 'kg', distributed: 4, accounted_for: 0, accounted_for_percent: 0 },
    // 12.1 of 15.1, rounded down.
    { unit: 'pcs', distributed: 15.1, accounted_for: 12.1, accounted_for_percent: 80.13 },
  ]);
});

test('no log names a customer or what was answered', async () => {
  const notified = await notifiedCase();
  const id = await readId(notified, 'C-1');

  await confirm(notified, id, { status: 'sent', response: 'a very private answer' });
  await confirm(notified, id, { status: 'ready', response: 'a very private answer' });

  assert.doesNotMatch(hub.log(), /a very private answer|C-1|C-2/);
});

test('each change is sealed with the counts of its case, without who, whom and what', async () => {
  const notified = await notifiedCase();
  const id = await readId(notified, 'C-1');

  const sent = await confirm(notified, id, { status: 'sent', changed_by: 'Ada' });
  const answered = await confirm(notified, id, { status: 'resolved', response: 'destroyed' });

  const rows = await hub.database.rows(
    'select canonical, hash from blocks where height in (?, ?) order by height',
    Number(sent.json['block_height']),
    Number(answered.json['block_height']),
  );
  assert.deepEqual(
    rows.map((row) => row['hash']),
    [sent, answered].map(({ json }) => json['block_hash']),
  );
  const [first, second] = rows.map(
    (row) => (JSON.parse(String(row['canonical'])) as { payload: Record<string, unknown> }).payload,
  );
  const { committed, ...decision } = second!['decision'] as Record<string, unknown>;
  assert.deepEqual(
    [second!['type'], second!['brand'], second!['v']],
    ['response', notified.tenantId, 2],
  );
  assert.deepEqual(decision, {
    at: answered.json['resolved_at'],
    case_no: notified.caseNo,
    counts: { acknowledged: 0, pending: 0, ready: 7, resolved: 1, sent: 0 },
    notification: id,
    resolved_at: answered.json['resolved_at'],
    sent_at: sent.json['sent_at'],
    status: 'resolved',
  });
  assert.deepEqual(Object.keys(committed as object), ['audience', 'by', 'recipient', 'response']);
  assert.deepEqual(Object.keys((first!['decision'] as Record<string, object>)['committed']!), [
    'audience',
    'by',
    'recipient',
  ]);
  assert.doesNotMatch(JSON.stringify(rows), /Ada|C-1"|destroyed/);
  const again = await confirm(notified, id, { status: 'resolved' });
  assert.equal(again.json['block_height'], answered.json['block_height']);
});

test('many confirmations of one case at once are all sealed, each with the counts after it', async () => {
  const notified = await notifiedCase();
  const ids = notificationsIn(await list(notified)).map((row) => row['id']);

  const answers = await Promise.all(ids.map((id) => confirm(notified, id, { status: 'sent' })));

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const rows = await hub.database.rows(
    `select b.canonical from decisions d join blocks b on b.height = d.height
    where d.type = 'response' and d.subject like ? order by d.height`,
    `${notified.caseNo}/%`,
  );
  const counted = rows.map((row) =>
    /"ready":(\d+),"resolved":0,"sent":(\d+)/.exec(String(row['canonical']))?.slice(1),
  );
  assert.deepEqual(
    counted,
    ids.map((_, index) => [String(ids.length - index - 1), String(index + 1)]),
  );
});

test('a notification that was not sent has no answer yet', async () => {
  const notified = await notifiedCase();

  const early = await confirm(notified, await readId(notified, 'C-1'), {
    status: 'ready',
    response: 'gone',
  });

  assert.equal(early.status, 400, early.text);
  assert.match(String(early.json['detail']), /is ready: what was answered belongs to one/);
});
