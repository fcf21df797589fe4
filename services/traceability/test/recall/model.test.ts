// Random supply chains with recall cases on them: once everything is followed, what a case covers, what is
// recalled, what notices say and which customers a case concerns is what the plain model says; of what stays, holds
// and notifications, at least what counts now and at most what ever counted.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chooseRounds, testInLongRun } from '@lothub/kit/test/rounds';
import { testAboveEngines } from '@lothub/kit/test/above-engines';
import fc from 'fast-check';
import { bootSealing, untilSealed } from '../audit/chained.ts';
import { valueAt, type Booted } from '../boot.ts';
import { chainsToPlay } from '../engine.ts';
import { CONFIRMED_STATUSES, type ConfirmedStatus } from '../../src/terms.ts';
import { decideAtOnce, groupsAtOnce } from './decisions-at-once.ts';
import { compareAnswers, readEveryAnswer } from './every-answer.ts';
import { caughtUp } from './following.ts';
import { CasesModel, STATUSES, type ModelCase, type ModelStatus } from '../model/cases-model.ts';
import { ChainModel } from '../model/chain-model.ts';
import { playStep } from '../model/play.ts';
import { DENSE, LONG, supplyChain, type Shape, type Step } from '../model/supply-chains.ts';
import { rebuildRows, verifyTraced } from '../verified.ts';

let hub: Booted;
before(async () => {
  hub = await bootSealing();
});
after(async () => {
  await hub[Symbol.asyncDispose]();
});

/** Something that is done to cases before the step of this number, modulo the length of the chain. */
type CaseStep =
  | {
      readonly kind: 'open';
      readonly at: number;
      readonly tenant: number;
      /** Which of the tenant's lots, or of these codes of suppliers. */
      readonly pick: number;
      readonly direction: ModelCase['direction'];
      readonly autoHold: boolean;
      readonly isConfidential: boolean;
    }
  | {
      readonly kind: 'move';
      readonly at: number;
      readonly pick: number;
      readonly to: ModelStatus;
      readonly releaseHolds: boolean;
    }
  | {
      readonly kind: 'edit';
      readonly at: number;
      readonly pick: number;
      /** Which of the tenant's lots. */
      readonly add: readonly number[];
      readonly exclude: readonly number[];
      readonly title: string | undefined;
    }
  | {
      readonly kind: 'confirm';
      readonly at: number;
      readonly pick: number;
      /** Which of the notifications of the case. */
      readonly notification: number;
      readonly to: ConfirmedStatus;
    };

const SUPPLIER_LOTS = ['S-1', 'S-2', 'nothing'];
const PLAIN = { noNullPrototype: true } as const;
const PAGE = 200;

function caseSteps(count: number): fc.Arbitrary<readonly CaseStep[]> {
  const at = fc.nat(1_000);
  const pick = fc.nat(10_000);
  return fc.array(
    fc.oneof(
      fc.record(
        {
          kind: fc.constant('open' as const),
          at,
          tenant: fc.nat(2),
          pick,
          direction: fc.constantFrom('upstream', 'downstream', 'both', 'both'),
          autoHold: fc.boolean(),
          isConfidential: fc.boolean(),
        },
        PLAIN,
      ),
      fc.record(
        {
          kind: fc.constant('move' as const),
          at,
          pick,
          to: fc.constantFrom(...STATUSES, 'notification' as const),
          releaseHolds: fc.boolean(),
        },
        PLAIN,
      ),
      fc.record(
        {
          kind: fc.constant('edit' as const),
          at,
          pick,
          add: fc.array(pick, EDITED_LOTS),
          exclude: fc.array(pick, EDITED_LOTS),
          title: fc.constantFrom('Glass', 'Metal', undefined),
        },
        PLAIN,
      ),
      fc.record(
        {
          kind: fc.constant('confirm' as const),
          at,
          pick,
          notification: pick,
          to: fc.constantFrom(...CONFIRMED_STATUSES),
        },
        PLAIN,
      ),
    ),
    { minLength: count, maxLength: count },
  );
}

const EDITED_LOTS = { maxLength: 3 } as const;

interface Played {
  readonly chain: ChainModel;
  readonly cases: CasesModel;
  /** What notifications that were confirmed are, by their numbers. */
  readonly confirmed: Map<string, ConfirmedStatus>;
}

let runs = 0;

/** Plays a chain with tenants of its own, so that all chains can share one hub. */
async function play(steps: readonly Step[], ofCases: readonly CaseStep[]): Promise<Played> {
  runs += 1;
  const getTenant = (tenantId: string): string => `${tenantId}-${runs}`;
  const chain = new ChainModel();
  const cases = new CasesModel(chain);
  const confirmed = new Map<string, ConfirmedStatus>();
  for (const [index, step] of steps.entries()) {
    for (const one of ofCases) {
      if (one.at % steps.length === index) await playOnCases({ chain, cases, confirmed }, one);
    }
    if (step.kind === 'rest') continue;
    await playStep(hub, chain, { ...step, tenantId: getTenant(step.tenantId) });
    cases.note();
  }
  return { chain, cases, confirmed };
}

async function playOnCases(played: Played, step: CaseStep): Promise<void> {
  if (step.kind === 'open') await open(played.chain, played.cases, step);
  else if (step.kind === 'move') await move(played.cases, step);
  else if (step.kind === 'edit') await edit(played, step);
  else await confirm(played, step);
}

/** Confirms a notification: forward only, and only what the case has made ready. */
async function confirm(
  { cases, confirmed }: Played,
  step: Extract<CaseStep, { readonly kind: 'confirm' }>,
): Promise<void> {
  const one = cases.cases[step.pick % cases.cases.length];
  if (one === undefined) return;
  const headers = { 'X-Tenant-Id': one.tenantId, 'Content-Type': 'application/json' };
  const path = `/v1/recall/cases/${one.caseNo}/notifications`;
  const listed = (await hub.call(`${path}?limit=${PAGE}`, { headers })).json['notifications'];
  assert.ok(Array.isArray(listed));
  const id = String(valueAt(listed[step.notification % listed.length], 'id'));
  const answer = await hub.call(`${path}/${id}`, {
    ...{ method: 'PATCH', headers },
    body: JSON.stringify({ status: step.to, response: 'destroyed', changed_by: 'Cy' }),
  });
  const rank = (status: ConfirmedStatus): number => CONFIRMED_STATUSES.indexOf(status);
  const before = confirmed.get(id);
  const isForward = before === undefined ? one.isNotified : rank(step.to) >= rank(before);
  assert.equal(answer.status, isForward ? 200 : 400, answer.text);
  if (isForward) confirmed.set(id, step.to);
}

async function edit(
  { chain, cases }: Pick<Played, 'chain' | 'cases'>,
  step: Extract<CaseStep, { readonly kind: 'edit' }>,
): Promise<void> {
  const one = cases.cases[step.pick % cases.cases.length];
  if (one === undefined) return;
  const codes = [...chain.mapNamings(one.tenantId).keys()];
  const codesAt = (picks: readonly number[]) =>
    new Set(picks.flatMap((pick) => codes[pick % codes.length] ?? []));
  const add = [...codesAt(step.add)];
  const exclude = [...codesAt(step.exclude).difference(new Set(add))];
  const names = add.length + exclude.length > 0;
  if (!names && step.title === undefined) return;
  const answer = await hub.call(`/v1/recall/cases/${one.caseNo}`, {
    method: 'PATCH',
    headers: { 'X-Tenant-Id': one.tenantId, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...(step.title === undefined ? {} : { title: step.title }),
      ...(names ? { scope: { add, exclude, reason: 'tested' } } : {}),
    }),
  });
  const isOpen = one.frozen === undefined;
  assert.equal(answer.status, isOpen ? 200 : 400, answer.text);
  if (isOpen) cases.edit(one.caseNo, { add, exclude });
}

async function open(
  chain: ChainModel,
  cases: CasesModel,
  step: Extract<CaseStep, { readonly kind: 'open' }>,
): Promise<void> {
  const { direction, autoHold, isConfidential } = step;
  const tenantId = chain.tenantIds[step.tenant % chain.tenantIds.length];
  if (tenantId === undefined) return;
  const codes = [...chain.mapNamings(tenantId).keys(), ...SUPPLIER_LOTS];
  const seedLotCode = codes[step.pick % codes.length] ?? '';
  const suppliers = cases.listSuppliers(tenantId, seedLotCode);
  const answer = await hub.post(
    '/v1/recall/cases',
    {
      seed_lot_code: seedLotCode,
      title: 'Metal',
      reason: 'A sieve broke',
      opened_by: 'Ada',
      ...(suppliers.length > 1 ? { supplier_name: suppliers[0] } : {}),
      direction,
      auto_hold: autoHold,
      confidential: isConfidential,
    },
    { 'X-Tenant-Id': tenantId },
  );
  const isKnown = cases.findSeedKind(tenantId, seedLotCode) !== undefined;
  assert.equal(answer.status, isKnown ? 201 : 404, answer.text);
  if (!isKnown) return;
  const caseNo = String(answer.json['case_no']);
  cases.open({ caseNo, tenantId, seedLotCode, direction, autoHold, isConfidential });
}

async function move(
  cases: CasesModel,
  step: Extract<CaseStep, { readonly kind: 'move' }>,
): Promise<void> {
  const one = cases.cases[step.pick % cases.cases.length];
  if (one === undefined) return;
  const { to, releaseHolds } = step;
  // What a case covers at its end stays.
  await caughtUp(hub);
  const answer = await hub.call(`/v1/recall/cases/${one.caseNo}/status`, {
    method: 'PATCH',
    headers: { 'X-Tenant-Id': one.tenantId, 'Content-Type': 'application/json' },
    body: JSON.stringify({ status: to, release_holds: releaseHolds }),
  });
  const isAllowed = cases.allows(one.caseNo, to);
  assert.equal(answer.status, isAllowed ? 200 : 400, answer.text);
  if (isAllowed) cases.move(one.caseNo, to, releaseHolds);
}

async function assertAsModelled({ chain, cases, confirmed }: Played): Promise<void> {
  await caughtUp(hub);
  for (const [id, status] of confirmed) {
    const [row] = await hub.database.rows(
      'select status from recall_notifications where notification_id = ?',
      Number(id),
    );
    assert.equal(row?.['status'], status, `notification ${id}`);
  }
  for (const one of cases.cases) {
    const covered = cases.covered(one);
    const label = `${one.caseNo} on ${one.seedLotCode}, ${one.direction}, ${one.status}`;
    assert.deepEqual(await readCovered(one), sorted(covered), label);
    await assertHolds(one, { least: covered, most: cases.everHeld(one) }, label);
    const bounds = { least: cases.concerned(one), most: cases.everConcerned(one) };
    if (one.frozen === undefined) assertBetween(await readConcerned(one), bounds, label);
    const noticed = cases.noticed(one);
    assert.deepEqual(await findNotice(one), noticed && sorted(noticed), label);
  }
  for (const tenantId of chain.tenantIds) {
    assert.deepEqual(await readRecalled(tenantId), sorted(cases.recalled(tenantId)), tenantId);
    assert.deepEqual(await wronglyHeld(tenantId), [], tenantId);
  }
}

interface Bounds {
  readonly least: ReadonlySet<string>;
  readonly most: ReadonlySet<string>;
}

async function assertHolds(one: ModelCase, bounds: Bounds, label: string): Promise<void> {
  const rows = await hub.database.rows(
    `select l.lot_code as code
    from lot_holds h
    join lots l on l.lot_no = h.lot_no
    where h.source = ? and h.released_at is null`,
    one.caseNo,
  );
  const held = rows.map((row) => String(row['code']));
  if (!one.autoHold || one.holdsEnded) assert.deepEqual(held, [], `${label}: holds`);
  else assertBetween(held, bounds, `${label}: holds`);
}

function assertBetween(found: readonly string[], { least, most }: Bounds, label: string): void {
  assert.equal(new Set(found).size, found.length, `${label}: something is there twice`);
  const missing = [...least].filter((one) => !found.includes(one));
  const strange = found.filter((one) => !most.has(one));
  assert.deepEqual({ missing, strange }, { missing: [], strange: [] }, label);
}

async function readCovered({ caseNo }: ModelCase): Promise<readonly string[]> {
  const rows = await hub.database.rows(
    `select l.lot_code as code
    from recall_cases c
    join recall_lots r on r.case_id = c.case_id and r.left_at is null
    join lots l on l.lot_no = r.lot_no
    where c.case_no = ?`,
    caseNo,
  );
  return sorted(rows.map((row) => String(row['code'])));
}

async function readConcerned({ caseNo }: ModelCase): Promise<readonly string[]> {
  const rows = await hub.database.rows(
    `select n.audience, n.recipient
    from recall_cases c
    join recall_notifications n on n.case_id = c.case_id
    where c.case_no = ?`,
    caseNo,
  );
  return rows.map((row) => `${String(row['audience'])} ${String(row['recipient'])}`);
}

/** Lot codes of the public notice; undefined when there is none. */
async function findNotice({ caseNo }: ModelCase): Promise<readonly string[] | undefined> {
  const answer = await hub.call(`/public/notices/${caseNo}?limit=${PAGE}`);
  if (answer.status === 404) return undefined;
  const codes = valueAt(answer.json, 'lot_codes');
  assert.ok(Array.isArray(codes), answer.text);
  return sorted(codes.map(String));
}

async function readRecalled(tenantId: string): Promise<readonly string[]> {
  const rows = await hub.database.rows(
    `select l.lot_code as code
    from tenants t
    join lots l on l.tenant_no = t.tenant_no
    where t.tenant_id = ? and l.recalled = 1`,
    tenantId,
  );
  return sorted(rows.map((row) => String(row['code'])));
}

/** Lots that are on hold without a hold, or the other way round. */
async function wronglyHeld(tenantId: string): Promise<readonly string[]> {
  const rows = await hub.database.rows(
    `select l.lot_code as code
    from tenants t
    join lots l on l.tenant_no = t.tenant_no
    where t.tenant_id = ? and l.on_hold <> case when exists (
      select 1 from lot_holds h where h.lot_no = l.lot_no and h.released_at is null
    ) then 1 else 0 end`,
    tenantId,
  );
  return rows.map((row) => String(row['code']));
}

function sorted(codes: Iterable<string>): readonly string[] {
  return [...codes].sort();
}

function chains(shape: Shape, cases: number) {
  return fc.tuple(supplyChain(shape), caseSteps(cases));
}

/** A slow machine plays fewer chains, and makes a failing one less small. */
const IN_TIME = { interruptAfterTimeLimit: 40_000, markInterruptAsFailure: false };

test('cases on lots that meet again and again are widened as the plain model says', async () => {
  await fc.assert(
    fc.asyncProperty(chains(DENSE, 9), async ([steps, cases]) => {
      await assertAsModelled(await play(steps, cases));
    }),
    { numRuns: chainsToPlay(chooseRounds({ usual: 4, long: 24 })), ...IN_TIME },
  );
});

testInLongRun('cases on long chains of many lots are widened as the plain model says', async () => {
  const found = await fc.check(
    fc.asyncProperty(chains(LONG, 18), async ([steps, cases]) => {
      await assertAsModelled(await play(steps.slice(0, 40), cases));
    }),
    // A chain of hundreds of events is neither made smaller in the time of a test, nor printed.
    { numRuns: chainsToPlay(4), endOnFailure: true, ...IN_TIME },
  );

  if (found.failed) {
    throw new Error(`a chain made with the seed ${found.seed}`, { cause: found.errorInstance });
  }
});

testAboveEngines(
  'of the blocks alone a rebuild makes the rows of all cases again, and no answer changes',
  async () => {
    await caughtUp(hub);
    const [brand, ...others] = await listBrands();
    await fc.assert(
      fc.asyncProperty(groupsAtOnce, async (groups) => {
        const taken = await decideAtOnce(hub, { tenantId: brand!, groups });
        assert.ok(taken.size > 0);
      }),
      { numRuns: chooseRounds({ usual: 1, long: 3 }), endOnFailure: true },
    );
    await caughtUp(hub);
    // The entries are covered by a block, so that none comes while the answers are read.
    await tellLast(brand!);
    await untilSealed(hub);
    const [newest] = await hub.database.rows('select max(id) as id from audit_entries');
    const compared = {
      tenantIds: [brand!, ...others.slice(0, chooseRounds({ usual: 0, long: 3 }))],
      auditBefore: Number(newest?.['id']),
    };
    const answers = await readEveryAnswer(hub, compared);
    await hub.service.close();
    assert.deepEqual(await mismatches(), []);
    for (const table of MADE_AGAIN) await hub.database.change(`delete from ${table}`);
    await hub.database.change('update recall_lots set distance = distance + 1');
    await rebuildRows(hub.database);
    assert.deepEqual(await mismatches(), []);

    hub = await hub.restart();

    const again = await readEveryAnswer(hub, compared);
    assert.ok(answers.size > 0);
    assert.deepEqual(compareAnswers(answers, again), []);
  },
);

/** Rows that are not there any more before the rebuild: it makes them of the blocks alone. */
const MADE_AGAIN = [
  ...['recall_moves', 'recall_edits', 'recall_lots_by_hand', 'recall_lots_named', 'recall_parts'],
  ...[
    'recall_notifications',
    'recall_drills',
    'lot_holds',
    'brands',
    'products',
    'places',
    'suppliers',
  ],
  ...['decisions', 'lot_mentions', 'lot_quantities', 'corrections'],
];

/** The last change, which the audit covers with a block. */
async function tellLast(tenantId: string): Promise<void> {
  const answer = await hub.call('/v1/places/LAST', {
    ...{ method: 'PUT', body: JSON.stringify({ name: 'The last hall' }) },
    headers: { 'X-Tenant-Id': tenantId, 'Content-Type': 'application/json' },
  });
  assert.equal(answer.status, 201, answer.text);
}

/** All brands, those with the most cases first. */
async function listBrands(): Promise<readonly string[]> {
  const rows = await hub.database.rows(
    `select t.tenant_id
    from tenants t
    left join recall_cases c on c.tenant_no = t.tenant_no
    group by t.tenant_id
    order by count(c.case_id) desc, t.tenant_id`,
  );
  return rows.map((row) => String(row['tenant_id']));
}

async function mismatches(): Promise<readonly unknown[]> {
  const report = await verifyTraced(hub.database);
  return report.mismatches;
}
