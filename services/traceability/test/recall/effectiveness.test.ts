// How much of what was sold is with customers who have answered: a share is never rounded up, because
// 100 % says that everything is accounted for (docs/interface/traceability.md#notifications-of-a-case).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot, valueAt } from '../boot.ts';
import { RecallTenant, readArray } from './tenant.ts';

const hub = await openForFile(boot());

for (const { answered, silent, percent } of [
  { answered: 2, silent: 1, percent: 66.66 },
  { answered: 19_999, silent: 1, percent: 99.99 },
  { answered: 0.1, silent: 1_999.9, percent: 0 },
  { answered: 3, silent: 0, percent: 100 },
]) {
  test(`${answered} answered for and ${silent} not are ${percent} %`, async () => {
    const tenant = new RecallTenant(hub);
    const sold = (customer_ref: string, quantity: number): object =>
      aLine({ lot_code: 'BREAD-1', direction: 'out', quantity, unit: 'pcs', customer_ref });
    await tenant.post({
      event_type: 'SELL',
      lines: [sold('C-answers', answered), sold('C-silent', silent)],
    });
    const opened = await tenant.open('BREAD-1');
    const path = `/v1/recall/cases/${String(opened['case_no'])}`;
    await tenant.moveThrough(opened['case_no'], 'notification');
    const rows = readArray(
      (await tenant.get(`${path}/notifications?audience=customer`)).json['notifications'],
    );
    const row = rows.find((one) => String(one['recipient']) === 'C-answers');
    const confirmed = await hub.call(`${path}/notifications/${String(row?.['id'])}`, {
      method: 'PATCH',
      headers: { ...tenant.headers, 'Content-Type': 'application/json' },
      body: JSON.stringify({ status: 'acknowledged' }),
    });
    assert.equal(confirmed.status, 200, confirmed.text);

    const detail = await tenant.detail(opened['case_no']);

    const share = valueAt(detail, 'effectiveness', 'quantities', 0, 'accounted_for_percent');
    assert.equal(share, percent);
  });
}
