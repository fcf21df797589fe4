// What SQLite does for the dashboard, the audit, the operator's overview and keys, and the choice of a lot to
// drill: it reads stretches of indexes, whatever state they are requested.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { DASHBOARD_PLANS } from '../../test/contract/dashboard.ts';
import { openTestLedger, notePlans } from '../../test/ledger.ts';

const ledger = await openForFile(openTestLedger());

/** Rows that are cut to a limit inside before they are looked at outside; sorting few of them. */
const BOUNDED =
  /SCAN (held|recalled_lots|ready|sent|breaches|recorded|open_cases|open_alarms|newest|t|b|CONSTANT ROW)\b/;
/** Rows that are in the order in which they are requested: it ends at the limit. */
const IN_ORDER = /SCAN (audit_entries|recall_drills|api_keys USING INDEX api_keys_by_age)$/;

for (const [what, ask] of Object.entries(DASHBOARD_PLANS)) {
  test(`${what}: SQLite scans no table`, async () => {
    const plans = await notePlans(ledger, ({ database }) => ask(database));

    assert.notEqual(plans.length, 0);
    const costly = plans.filter(
      (step) => /SCAN/.test(step) && !BOUNDED.test(step) && !IN_ORDER.test(step),
    );
    assert.deepEqual(costly, []);
  });
}

test('SQLite sorts nothing but the few severities of open cases', async () => {
  const plans: string[] = [];
  for (const ask of Object.values(DASHBOARD_PLANS))
    plans.push(...(await notePlans(ledger, ({ database }) => ask(database))));

  const sorting = new Set(plans.filter((step) => /TEMP B-TREE/.test(step)));
  assert.deepEqual([...sorting], ['USE TEMP B-TREE FOR GROUP BY']);
});
