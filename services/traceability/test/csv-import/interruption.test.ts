// An import that is interrupted leaves a prefix of its file on the chain, and importing the file
// again completes it; other writers get their turn while it runs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from '@lothub/kit/database';
import { SLICE_EVENTS_MAX } from '../../src/csv-import/spool.ts';
import { aFile, aRow, manyEvents, openImportApp, withAppend } from './app.ts';

for (const [name, changes] of [
  ['with ids', {}],
  ['without ids', { external_id: '' }],
] as const) {
  test(`after a failure between slices the same file ${name} completes what is there`, async () => {
    let slices = 0;
    await using app = await openImportApp({
      around: (store) =>
        withAppend(store, async (submission) => {
          slices += 1;
          if (slices === 3) throw new DatabaseError('database_full', 'the disk is full');
          return await store.append(submission);
        }),
    });
    const count = SLICE_EVENTS_MAX * 5;
    const file = aFile(manyEvents(count, changes));

    const broken = await app.send(file);
    const stored = await app.height();
    const completed = await app.send(file);

    assert.equal(broken.status, 503, broken.text);
    assert.equal(broken.headers.get('Retry-After'), '5');
    assert.match(String(broken.json['detail']), new RegExp(`after ${stored} of ${count} `));
    assert.ok(stored >= SLICE_EVENTS_MAX * 2 && stored < count, String(stored));
    assert.equal(completed.status, 201, completed.text);
    assert.equal(completed.json['duplicates'], stored);
    assert.equal(completed.json['accepted'], count - stored);
    const references = (await app.events()).map((event) => event.reference);
    assert.equal(new Set(references).size, count);
    assert.deepEqual(await app.leftovers(), []);
  });
}

test('a service that has to end stops an import between two slices', async () => {
  let stopped: Promise<void> | undefined;
  await using app = await openImportApp({
    around: (store) =>
      withAppend(store, async (submission) => {
        stopped ??= app.stop();
        return await store.append(submission);
      }),
  });

  const reply = await app.send(aFile(manyEvents(SLICE_EVENTS_MAX * 10)));

  assert.equal(reply.status, 503, reply.text);
  assert.match(String(reply.json['detail']), /import the file again to complete it$/);
  const stored = await app.height();
  assert.ok(stored >= SLICE_EVENTS_MAX && stored < SLICE_EVENTS_MAX * 10, String(stored));
  await stopped;
});

test('a failure before the first slice says that nothing was stored', async () => {
  await using app = await openImportApp({
    around: (store) =>
      withAppend(store, () =>
        Promise.reject(new DatabaseError('database_full', 'the disk is full')),
      ),
  });

  const reply = await app.send(aFile([aRow()]));

  assert.equal(reply.status, 503);
  assert.match(String(reply.json['detail']), /nothing was stored/);
});

for (const code of ['database_busy', 'database_unsure'] as const) {
  test(`an import goes on after ${code}`, async () => {
    let tries = 0;
    await using app = await openImportApp({
      around: (store) =>
        withAppend(store, async (submission) => {
          tries += 1;
          if (tries <= 2) throw new DatabaseError(code, 'not now');
          return await store.append(submission);
        }),
    });

    const reply = await app.send(aFile([aRow()]));

    assert.equal(reply.status, 201, reply.text);
    assert.equal(tries, 3);
  });
}

test('an id that is taken between the check and its slice is reported as a conflict', async () => {
  await using app = await openImportApp({
    around: (store) =>
      withAppend(store, async (submission) => {
        const [first] = submission.drafts;
        assert.ok(first);
        const eventText = first.eventText.replace('BAKERY-1', 'BAKERY-9');
        await store.append({ ...submission, drafts: [{ ...first, eventText }] });
        return await store.append(submission);
      }),
  });

  const reply = await app.send(aFile([aRow(), aRow({ external_id: 'b' })]));

  assert.equal(reply.status, 201, reply.text);
  assert.equal(reply.json['accepted'], 1);
  assert.equal(reply.json['rejected'], 1);
  assert.equal(reply.json['errors']?.[0]?.['row'], 2);
  assert.equal(reply.json['errors']?.[0]?.['type'], 'external_id_conflict');
});

test('slices stay small while others write, and are joined while nobody does', async () => {
  const sizes: number[] = [];
  let earlier: Promise<unknown> = Promise.resolve();
  await using app = await openImportApp({
    around: (store) =>
      withAppend(store, (submission) => {
        const count = sizes.push(submission.drafts.length);
        const answer = earlier.then(async () => {
          if (count <= 3) await store.append({ ...submission, tenantId: `other-${count}` });
          return await store.append(submission);
        });
        earlier = answer;
        return answer;
      }),
  });

  await app.send(aFile(manyEvents(SLICE_EVENTS_MAX * 12)));

  assert.deepEqual(sizes, [200, 200, 200, 200, 200, 1_000, 400]);
});

test('two imports of one file at the same time store it once', async () => {
  await using app = await openImportApp();
  const file = aFile(manyEvents(1_000));

  const replies = await Promise.all([app.send(file), app.send(file)]);

  const accepted = replies.map((reply) => Number(reply.json['accepted']));
  assert.equal(
    accepted.reduce((sum, count) => sum + count, 0),
    1_000,
  );
  assert.equal(await app.height(), 1_000);
});
