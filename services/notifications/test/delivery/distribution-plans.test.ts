// What the engine looks at to write deliveries is bounded by what is noted and by its receivers, not by the
// notifications that were posted before.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from 'sql-template-tag';
import { Distribution } from '../../src/store/distribution.ts';
import { postTo, storeDevice } from '../stored-group.ts';
import { QueryPlans } from '../query-plans.ts';
import { openOutbox } from './outbox.ts';

/** More than a step on PostgreSQL may look at. */
const POSTED_BEFORE = 3_500;
const NOTED = 3;

test('deliveries are written from the notes, whatever was posted before', async () => {
  await using outbox = await openOutbox();
  const { store, groupId } = outbox;
  const { accountId } = outbox.actor;
  await Promise.all(Array.from({ length: POSTED_BEFORE }, () => store.post(postTo(groupId))));
  await outbox.newWebhook('https://receiver.example/hook');
  await storeDevice(store, { accountId });
  for (let count = 0; count < NOTED; count += 1) await store.post(postTo(groupId));
  const statements: Sql[] = [];
  const distribution = new Distribution({
    reader: store.reader,
    // They are carried out when PostgreSQL explains them.
    write: (written) => {
      statements.push(...written);
      return Promise.resolve([]);
    },
  });
  await distribution.run();
  await using plans = await QueryPlans.open(outbox.database);

  const details = (await Promise.all(statements.map((one) => plans.readDetails(one)))).flat();
  const wide: string[] = [];
  for (const one of statements) wide.push(...(await plans.readWideSteps(one)));

  const ofNotifications = details.filter((detail) => /^(SCAN|SEARCH) n\b/.test(detail));
  assert.deepEqual(
    ofNotifications.filter((detail) => !detail.endsWith('(rowid=?)')),
    [],
  );
  assert.deepEqual(wide, []);
});
