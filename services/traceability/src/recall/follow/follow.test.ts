// Following the chain, step by step: what late events and corrections change of open cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { systemClock } from '@lothub/kit/clock';
import type { PlannedChange } from '@lothub/kit/writer/planned-change';
import type { DatabaseReader } from '@lothub/kit/database';
import { correct, follow, moveTo, openCase } from '../../../test/recall/case-ledger.ts';
import { caughtUp, coveredLots, readNotifications } from '../../../test/recall/following.ts';
import { makeEvent, makeLine, openTestLedger } from '../../../test/ledger.ts';
import type { EventInput } from '../../events/schema.ts';
import { LedgerReader } from '../../ledger/read.ts';
import type { DecidedChange } from '../../ledger/decisions/draft.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import { CaseFollower, WideningPace, followStep } from './follow.ts';
import { releaseLot } from '../../../test/holds.ts';

const ledger = await openForFile(openTestLedger());

let tenantCount = 0;
/** Every test has its own tenant, so that all can share one ledger. */
const newTenant = (): string => `tenant-${(tenantCount += 1)}`;

const RECEIVED = makeEvent('RECEIVE', [makeLine('in', 'FLOUR')]);

function made(from: string, to: string, changes: Partial<EventInput> = {}): EventInput {
  return makeEvent('PRODUCE', [makeLine('in', from), makeLine('out', to)], changes);
}

function sold(lotCode: string, customer: string, channel = 'webshop'): EventInput {
  return makeEvent('SELL', [makeLine('out', lotCode, { customer_ref: customer, channel })]);
}

/** The state of a lot: `recalled on_hold`. */
async function readState(tenantId: string, lotCode: string): Promise<string> {
  const [row] = await ledger.database.rows(
    `select l.recalled, l.on_hold
    from tenants t
    join lots l on l.tenant_no = t.tenant_no
    where t.tenant_id = ? and l.lot_code = ?`,
    tenantId,
    lotCode,
  );
  const recalled = row?.['recalled'] === 1 ? 'recalled' : 'not recalled';
  return `${recalled}, ${row?.['on_hold'] === 1 ? 'on hold' : 'released'}`;
}

async function countEntries(action: string): Promise<number> {
  const [row] = await ledger.database.rows(
    'select count(*) as entries from audit_entries where action = ?',
    action,
  );
  return Number(row?.['entries']);
}

test('a lot made of a lot of a case enters it, and so does what was made of that before', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED, made('DOUGH', 'BREAD'), made('BREAD', 'CRATE')], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

  await ledger.record([made('FLOUR', 'DOUGH')], tenantId);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'BREAD downstream 2 on_hold',
    'CRATE downstream 3 on_hold',
    'DOUGH downstream 1 on_hold',
    'FLOUR self 0 on_hold',
  ]);
});

test('what a lot of a case turns out to be made of enters it, and its other products do not', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED, made('FIELD', 'GRAIN'), made('GRAIN', 'BRAN')], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

  await ledger.record([made('GRAIN', 'FLOUR'), made('GRAIN', 'SEMOLINA')], tenantId);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'FIELD upstream 2 on_hold',
    'FLOUR self 0 on_hold',
    'GRAIN upstream 1 on_hold',
  ]);
});

test('a case goes only the way it was opened for', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED], tenantId);
  const down = await openCase(ledger, 'FLOUR', { tenantId, direction: 'downstream' });
  const up = await openCase(ledger, 'FLOUR', { tenantId, direction: 'backward' });

  await ledger.record([made('GRAIN', 'FLOUR'), made('FLOUR', 'DOUGH')], tenantId);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, down), [
    'DOUGH downstream 1 on_hold',
    'FLOUR self 0 on_hold',
  ]);
  assert.deepEqual(await coveredLots(ledger, up), [
    'FLOUR self 0 on_hold',
    'GRAIN upstream 1 on_hold',
  ]);
});

for (const [what, early, late] of [
  [
    'a PRODUCE that comes after the CONSUME of its reference',
    makeEvent('CONSUME', [makeLine('in', 'FLOUR')], { reference: 'WO-7' }),
    makeEvent('PRODUCE', [makeLine('out', 'DOUGH')], { reference: 'WO-7' }),
  ],
  [
    'a CONSUME that comes after the PRODUCE of its reference',
    makeEvent('PRODUCE', [makeLine('out', 'DOUGH')], { reference: 'WO-7' }),
    makeEvent('CONSUME', [makeLine('in', 'FLOUR')], { reference: 'WO-7' }),
  ],
] as const) {
  test(`${what} widens a case`, async () => {
    const tenantId = newTenant();
    await ledger.record([RECEIVED, early], tenantId);
    const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

    await ledger.record([late], tenantId);
    await follow(ledger);

    assert.deepEqual(await coveredLots(ledger, caseNo), [
      'DOUGH downstream 1 on_hold',
      'FLOUR self 0 on_hold',
    ]);
  });
}

test('an ancestor that becomes a descendant as well brings its other products into the case', async () => {
  const tenantId = newTenant();
  await ledger.record([made('MIX', 'FLOUR'), made('MIX', 'SAUCE'), made('SAUCE', 'JAR')], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

  await ledger.record([made('FLOUR', 'MIX')], tenantId);
  await follow(ledger);
  await ledger.record([made('MIX', 'PASTE')], tenantId);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'FLOUR self 0 on_hold',
    'JAR downstream 3 on_hold',
    'MIX upstream 1 on_hold',
    'PASTE downstream 2 on_hold',
    'SAUCE downstream 2 on_hold',
  ]);
});

test('a lot that a correction makes an ancestor alone brings nothing more into the case', async () => {
  const tenantId = newTenant();
  const [, height = 0] = await ledger.record(
    [made('MIX', 'FLOUR'), made('FLOUR', 'MIX')],
    tenantId,
  );
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await correct(ledger, { tenantId, height }, [
    { field: 'status', old_value: 'accepted', new_value: 'voided' },
  ]);
  await follow(ledger);

  await ledger.record([made('MIX', 'PASTE')], tenantId);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'FLOUR self 0 on_hold',
    'MIX upstream 1 on_hold',
  ]);
});

test('what comes in under the lot code of a supplier enters the case on it', async () => {
  const tenantId = newTenant();
  const delivered = (lotCode: string): EventInput =>
    makeEvent('RECEIVE', [
      makeLine('in', lotCode, { supplier_name: 'Mill', supplier_lot_code: 'M-1' }),
    ]);
  await ledger.record([delivered('FLOUR'), made('SILO', 'DOUGH')], tenantId);
  const caseNo = await openCase(ledger, 'M-1', { tenantId });

  await ledger.record([delivered('SILO'), made('GRAIN', 'SILO')], tenantId);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'DOUGH downstream 2 on_hold',
    'FLOUR downstream 1 on_hold',
    'SILO downstream 1 on_hold',
  ]);
});

test('lots of another tenant stay out, whatever they are called', async () => {
  const [tenantId, other] = [newTenant(), newTenant()];
  await ledger.record([RECEIVED], tenantId);
  await ledger.record([RECEIVED], other);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

  await ledger.record([made('FLOUR', 'DOUGH')], other);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), ['FLOUR self 0 on_hold']);
  assert.equal(await readState(other, 'DOUGH'), 'not recalled, released');
});

test('a correction takes lots out of a case; what holds them goes on holding them', async () => {
  const tenantId = newTenant();
  const [, height = 0] = await ledger.record(
    [RECEIVED, made('FLOUR', 'DOUGH'), made('DOUGH', 'BREAD')],
    tenantId,
  );
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await moveTo(ledger, { tenantId, caseNo, to: 'notification' });

  await correct(ledger, { tenantId, height }, [
    { field: 'lines[1].lot_code', old_value: 'DOUGH', new_value: 'BATTER' },
  ]);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'BATTER downstream 1 on_hold',
    'FLOUR self 0 on_hold',
  ]);
  assert.equal(await readState(tenantId, 'DOUGH'), 'not recalled, on hold');
  assert.equal(await readState(tenantId, 'BATTER'), 'recalled, on hold');
});

test('a lot that another case recalls stays recalled when it leaves one', async () => {
  const tenantId = newTenant();
  const [, height = 0] = await ledger.record([RECEIVED, made('FLOUR', 'DOUGH')], tenantId);
  const first = await openCase(ledger, 'FLOUR', { tenantId });
  const second = await openCase(ledger, 'DOUGH', { tenantId, direction: 'downstream' });
  for (const caseNo of [first, second])
    await moveTo(ledger, { tenantId, caseNo, to: 'notification' });

  await correct(ledger, { tenantId, height }, [
    { field: 'status', old_value: 'accepted', new_value: 'voided' },
  ]);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, first), ['FLOUR self 0 on_hold']);
  assert.equal(await readState(tenantId, 'DOUGH'), 'recalled, on hold');
});

test('a lot that left a case and comes back is in it again', async () => {
  const tenantId = newTenant();
  const [, height = 0] = await ledger.record([RECEIVED, made('FLOUR', 'DOUGH')], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await correct(ledger, { tenantId, height }, [
    { field: 'status', old_value: 'accepted', new_value: 'voided' },
  ]);
  await follow(ledger);

  await ledger.record([made('FLOUR', 'DOUGH')], tenantId);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'DOUGH downstream 1 on_hold',
    'FLOUR self 0 on_hold',
  ]);
});

test('a corrected reference brings lots into a case whose own lots no correction names', async () => {
  const tenantId = newTenant();
  const [, , height = 0] = await ledger.record(
    [
      RECEIVED,
      makeEvent('CONSUME', [makeLine('in', 'FLOUR')], { reference: 'WO-7' }),
      makeEvent('PRODUCE', [makeLine('out', 'DOUGH')], { reference: 'WO-8' }),
    ],
    tenantId,
  );
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

  await correct(ledger, { tenantId, height }, [
    { field: 'reference', old_value: 'WO-8', new_value: 'WO-7' },
  ]);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'DOUGH downstream 1 on_hold',
    'FLOUR self 0 on_hold',
  ]);
});

test('a late sale adds whom the case concerns, ready once the case has reached notification', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED, made('FLOUR', 'DOUGH')], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await ledger.record([sold('DOUGH', 'C-1')], tenantId);
  await follow(ledger);
  const before = await readNotifications(ledger, caseNo);
  await moveTo(ledger, { tenantId, caseNo, to: 'notification' });

  await ledger.record([made('DOUGH', 'BREAD'), sold('BREAD', 'C-2', 'restaurant')], tenantId);
  await follow(ledger);

  assert.deepEqual(before, [
    'channel webshop pending',
    'customer C-1 pending',
    'internal_qa internal_qa pending',
    'public public pending',
    'regulator regulator pending',
  ]);
  assert.deepEqual(await readNotifications(ledger, caseNo), [
    'channel restaurant ready',
    'channel webshop ready',
    'customer C-1 ready',
    'customer C-2 ready',
    'internal_qa internal_qa ready',
    'public public ready',
    'regulator regulator ready',
  ]);
  assert.equal(await readState(tenantId, 'BREAD'), 'recalled, on hold');
});

test('a lot that enters brings those whom it was sold to before, and who delivered it', async () => {
  const tenantId = newTenant();
  const delivered = makeLine('in', 'WATER', { supplier_name: 'Well' });
  await ledger.record(
    [RECEIVED, makeEvent('RECEIVE', [delivered]), sold('DOUGH', 'C-1')],
    tenantId,
  );
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

  await ledger.record([made('FLOUR', 'DOUGH'), made('WATER', 'FLOUR')], tenantId);
  await follow(ledger);

  const concerned = await readNotifications(ledger, caseNo);
  assert.ok(concerned.includes('customer C-1 pending'));
  assert.ok(concerned.includes('supplier Well pending'));
});

test('a sale to somebody who has a notification already, and blocks that concern no case, write nothing', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED, sold('FLOUR', 'C-1')], tenantId);
  await openCase(ledger, 'FLOUR', { tenantId });
  await ledger.record([sold('FLOUR', 'C-2')], tenantId);
  await follow(ledger);
  const before = await countEntries('widen_case');

  await ledger.record([sold('FLOUR', 'C-2'), made('SUGAR', 'SYRUP')], tenantId);
  await follow(ledger);

  assert.equal(await countEntries('widen_case'), before);
});

test('without auto_hold a case lists what enters it and holds nothing', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId, auto_hold: false });

  await ledger.record([made('FLOUR', 'DOUGH')], tenantId);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'DOUGH downstream 1 released',
    'FLOUR self 0 released',
  ]);
});

test('a hold that somebody ended by hand is not set again for a lot that stayed in the case', async () => {
  const tenantId = newTenant();
  const [, height = 0] = await ledger.record([RECEIVED, made('FLOUR', 'DOUGH')], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await releaseLot(ledger.store, { tenantId, lotCode: 'DOUGH', caseNo });

  await ledger.record([made('FLOUR', 'DOUGH')], tenantId);
  await correct(ledger, { tenantId, height }, [
    { field: 'location', old_value: 'BAKERY-1', new_value: 'BAKERY-2' },
  ]);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'DOUGH downstream 1 released',
    'FLOUR self 0 on_hold',
  ]);
});

test('a case that has ended is not widened', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await moveTo(ledger, { tenantId, caseNo, to: 'cancelled' });

  await ledger.record([made('FLOUR', 'DOUGH')], tenantId);
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), ['FLOUR self 0 released']);
});

test('what was appended while a case was opened is in it', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED], tenantId);
  // Others are followed to the tip meanwhile.
  await openCase(ledger, 'FLOUR', { tenantId, direction: 'upstream' });

  for (let round = 1; round <= 20; round += 1) {
    const [caseNo] = await Promise.all([
      openCase(ledger, 'FLOUR', { tenantId, direction: 'downstream' }),
      ledger.record([made('FLOUR', `DOUGH-${round}`)], tenantId),
      follow(ledger),
    ]);
    await follow(ledger);
    const covered = await coveredLots(ledger, caseNo);

    assert.equal(covered.length, round + 1, `after round ${round}`);
  }
});

test('a crash at any write of following leaves something that is followed to the same end', async () => {
  const codes = ['FLOUR self 0 on_hold', 'DOUGH downstream 1 on_hold'].toSorted();
  let crashes = 0;
  for (let crashAt = 1; ; crashAt += 1) {
    const tenantId = newTenant();
    await ledger.record([RECEIVED], tenantId);
    const cases = [
      await openCase(ledger, 'FLOUR', { tenantId }),
      await openCase(ledger, 'FLOUR', { tenantId }),
    ];
    await follow(ledger);
    await ledger.record([made('FLOUR', 'DOUGH'), sold('DOUGH', 'C-1')], tenantId);
    let changes = 0;
    const { store } = ledger;
    const atWrite = async <Outcome>(write: () => Promise<Outcome>): Promise<Outcome> => {
      changes += 1;
      // Half of the crashes come when it is written already.
      if (changes * 2 - 1 === crashAt) throw new Error('a crash before the write');
      const outcome = await write();
      if (changes * 2 === crashAt) throw new Error('a crash after the write');
      return outcome;
    };
    const crashing = new Proxy(store, {
      get: (target, name) => {
        if (name === 'change') return (one: PlannedChange) => atWrite(() => target.change(one));
        if (name === 'decide') return (one: DecidedChange) => atWrite(() => target.decide(one));
        return Reflect.get(target, name) as unknown;
      },
    });

    const crashed = await follow(ledger, crashing).then(
      () => false,
      () => true,
    );
    await follow(ledger);

    for (const caseNo of cases) assert.deepEqual(await coveredLots(ledger, caseNo), codes);
    const notifications = await readNotifications(ledger, String(cases[0]));
    assert.equal(notifications.filter((one) => one.startsWith('customer')).length, 1);
    if (!crashed) break;
    crashes += 1;
  }

  assert.equal(crashes, 6, 'three writes, each with a crash before and after it');
});

test('a follower that could not read goes on by itself, and says once that it could not', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });
  await ledger.record([made('FLOUR', 'DOUGH')], tenantId);
  const { reader: database } = ledger.store;
  let failures = 0;
  const failing = new Proxy(database, {
    get: (target, name) => {
      if (name === 'first' && failures < 1) {
        failures += 1;
        return () => Promise.reject(new Error('the database is away'));
      }
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
  const warnings: unknown[] = [];
  const follower = CaseFollower.start({
    store: ledger.store,
    reader: new LedgerReader({ database: failing, state: ledger.state }),
    state: ledger.state,
    clock: systemClock,
    log: { warn: (...said: unknown[]) => void warnings.push(said) },
  });

  await caughtUp(ledger);
  await follower.close();

  assert.equal(warnings.length, 1);
  assert.equal((await coveredLots(ledger, caseNo)).length, 2);
});

test('only a step that has caught up and changed no case is the last one', async () => {
  const tenantId = newTenant();
  await ledger.record([RECEIVED], tenantId);
  await openCase(ledger, 'FLOUR', { tenantId, direction: 'downstream' });
  await follow(ledger);
  const options = { store: ledger.store, reader: ledger.reader, clock: systemClock };
  const steps = async (): Promise<readonly string[]> => {
    const outcomes = [await followStep(options, { pace: new WideningPace(0), blocksMax: 2 })];
    while (outcomes.at(-1) !== 'idle') {
      outcomes.push(await followStep(options, { pace: new WideningPace(0), blocksMax: 2 }));
    }
    return outcomes;
  };

  await ledger.record([made('SALT', 'BRINE')], tenantId);
  const untouched = await steps();
  await ledger.record([made('A', 'B'), made('B', 'C'), made('C', 'D')], tenantId);
  const more = await steps();
  await ledger.record([made('FLOUR', 'DOUGH')], tenantId);
  const touched = await steps();

  assert.deepEqual(untouched, ['idle']);
  assert.deepEqual(more, ['again', 'idle']);
  // The last step sees the block that the widening itself made.
  assert.deepEqual(touched, ['again', 'idle']);
});

/** More reads than one step of a single block makes. */
const READS_MAX = 15;

test('of two processes that follow at once neither misses what the other widens between its reads', async () => {
  const missed: number[] = [];
  for (let reads = 1; reads <= READS_MAX; reads += 1) {
    const tenantId = newTenant();
    await ledger.record([RECEIVED], tenantId);
    const caseNo = await openCase(ledger, 'FLOUR', { tenantId, direction: 'downstream' });
    await ledger.record([made('FLOUR', 'DOUGH')], tenantId);
    const hasRead = Promise.withResolvers<void>();
    const hasWidened = Promise.withResolvers<void>();
    let other: Promise<unknown> = Promise.resolve();
    const first = {
      ...{ reader: ledger.reader, clock: systemClock },
      store: changing(ledger.store, async (change) => {
        // The first one has finished its reads; then a sale is recorded, and another process
        // begins.
        await ledger.record([sold('DOUGH', 'C-1')], tenantId);
        const reader = readingUntil(reads, async () => {
          hasRead.resolve();
          await hasWidened.promise;
        });
        other = followStep({ store: ledger.store, reader, clock: systemClock });
        await Promise.race([hasRead.promise, other]);
        const outcome = await ledger.store.decide(change);
        hasWidened.resolve();
        await other;
        return outcome;
      }),
    };

    await followStep(first);
    await other;
    await follow(ledger);

    const notifications = await readNotifications(ledger, caseNo);
    if (!notifications.includes('customer C-1 pending')) missed.push(reads);
  }

  assert.deepEqual(missed, []);
});

type Decide = LedgerStore['decide'];

/** A store whose first change with blocks is made in another way. */
function changing(store: LedgerStore, first: Decide): LedgerStore {
  let isFirst = true;
  const decide: Decide = (change) => {
    if (!isFirst) return store.decide(change);
    isFirst = false;
    return first(change);
  };
  const change: LedgerStore['change'] = (planned) => store.change(planned);
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'decide') return decide;
      return name === 'change' ? change : (Reflect.get(target, name, target) as unknown);
    },
  });
}

/** Makes a reader that waits once, before it returns the last one of this number of reads. */
function readingUntil(reads: number, wait: () => Promise<void>): LedgerReader {
  let count = 0;
  const counted = async <Answer>(answer: Promise<Answer>): Promise<Answer> => {
    const found = await answer;
    count += 1;
    if (count === reads) await wait();
    return found;
  };
  const { database } = ledger.reader;
  const waiting: DatabaseReader = {
    all: (query) => counted(database.all(query)),
    first: (query) => counted(database.first(query)),
    close: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  return new LedgerReader({ database: waiting, state: ledger.state });
}

test('a reference that is on more events than a page still links them all', async () => {
  const tenantId = newTenant();
  const reference = 'WO-shared';
  await ledger.record([RECEIVED], tenantId);
  const caseNo = await openCase(ledger, 'FLOUR', { tenantId });

  const used = Array.from({ length: 1_050 }, (_, index) =>
    makeEvent('CONSUME', [makeLine('in', index === 1_049 ? 'FLOUR' : `SALT-${index}`)], {
      reference,
    }),
  );
  await ledger.record(used, tenantId);
  await ledger.record(
    [
      makeEvent('PRODUCE', [makeLine('out', 'DOUGH')], { reference }),
      makeEvent('CONSUME', [makeLine('in', 'RYE')], { reference: 'WO-other' }),
      makeEvent('PRODUCE', [makeLine('out', 'RYE-DOUGH')], { reference: 'WO-other' }),
    ],
    tenantId,
  );
  await follow(ledger);

  assert.deepEqual(await coveredLots(ledger, caseNo), [
    'DOUGH downstream 1 on_hold',
    'FLOUR self 0 on_hold',
  ]);
});
