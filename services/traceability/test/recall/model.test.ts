// Random supply chains with recall cases on them: once everything is followed, what a case covers, what is
// recalled, what notices tell and whom the case concerns is what the plain model says; of what stays, holds
// and notifications, at least what counts now and at most what ever counted.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { chooseRounds, testInLongRun } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { boot, valueAt } from '../boot.ts';
import type { Booted } from '../boot.ts';
import { chainsToPlay } from '../engine.ts';
import { caughtUp } from './following.ts';
import { CasesModel, STATUSES } from '../model/cases-model.ts';
import type { ModelCase, ModelStatus } from '../model/cases-model.ts';
import { ChainModel } from '../model/chain-model.ts';
import { playStep } from '../model/play.ts';
import { DENSE, LONG, supplyChain } from '../model/supply-chains.ts';
import type { Shape, Step } from '../model/supply-chains.ts';
import { rebuildRows, verifyFully } from '../verified.ts';

let hub: Booted;
before(async () => {
  hub = await boot();
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
    ),
    { minLength: count, maxLength: count },
  );
}

const EDITED_LOTS = { maxLength: 3 } as const;

interface Played {
  readonly chain: ChainModel;
  readonly cases: CasesModel;
}

let runs = 0;

/** Plays a chain with tenants of its own, so that all chains can share one hub. */
async function play(steps: readonly Step[], ofCases: readonly CaseStep[]): Promise<Played> {
  runs += 1;
  const tenantOf = (tenantId: string): string => `${tenantId}-${runs}`;
  const chain = new ChainModel();
  const cases = new CasesModel(chain);
  for (const [index, step] of steps.entries()) {
    for (const one of ofCases) {
      if (one.at % steps.length === index) await playOnCases({ chain, cases }, one);
    }
    if (step.kind === 'rest') continue;
    await playStep(hub, chain, { ...step, tenantId: tenantOf(step.tenantId) });
    cases.note();
  }
  return { chain, cases };
}

async function playOnCases({ chain, cases }: Played, step: CaseStep): Promise<void> {
  if (step.kind === 'open') await open(chain, cases, step);
  else if (step.kind === 'move') await move(cases, step);
  else await edit({ chain, cases }, step);
}

async function edit(
  { chain, cases }: Played,
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
  const isKnown = cases.seedKindOf(tenantId, seedLotCode) !== undefined;
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

async function assertAsModelled({ chain, cases }: Played): Promise<void> {
  await caughtUp(hub);
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

test('of the blocks alone a rebuild makes the rows of all cases again, and no answer changes', async () => {
  await caughtUp(hub);
  await changeAtOnce();
  await caughtUp(hub);
  const answers = await answersOfCases();
  await hub.service.close();
  assert.deepEqual(await mismatches(), []);
  await hub.database.change('delete from recall_moves');
  await hub.database.change('delete from recall_edits');
  await hub.database.change('delete from recall_lots_by_hand');
  await hub.database.change('update recall_lots set distance = distance + 1');
  await rebuildRows(hub.database);
  assert.deepEqual(await mismatches(), []);

  hub = await hub.restart();

  assert.ok(answers.length > 0);
  assert.deepEqual(await answersOfCases(), answers);
});

/** Plays, for each case, moves that exclude each other and an edit at the same moment, and erasures beside them. */
async function changeAtOnce(): Promise<void> {
  const cases = await hub.database.rows(
    `select c.case_no, t.tenant_id
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    where c.ended_at is null`,
  );
  const customers = await hub.database.rows(
    `select t.tenant_id, min(p.customer_ref) as customer_ref
    from private_lines p
    join events e on e.height = p.height
    join tenants t on t.tenant_no = e.tenant_no
    where p.customer_ref is not null
    group by t.tenant_id`,
  );
  const erase = ({ tenant_id: tenantId, customer_ref: customerRef }: (typeof customers)[number]) =>
    hub.post(
      '/v1/privacy/erase',
      { customer_ref: String(customerRef) },
      { 'X-Tenant-Id': String(tenantId) },
    );
  const change = ({ case_no: caseNo, tenant_id: tenantId }: (typeof cases)[number]) =>
    Promise.all(
      [
        ['/status', { status: 'notification' }],
        ['/status', { status: 'cancelled', note: 'at once' }],
        ['', { reason: 'Another sieve', changed_by: 'Bo' }],
      ].map(([path, body]) =>
        hub.call(`/v1/recall/cases/${String(caseNo)}${String(path)}`, {
          method: 'PATCH',
          headers: { 'X-Tenant-Id': String(tenantId), 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    );
  const [erased, changed] = await Promise.all([
    Promise.all(customers.map(erase)),
    Promise.all(cases.map(change)),
  ]);
  assert.ok(erased.length > 0 && changed.length > 0);
  for (const { status, text } of erased) assert.equal(status, 200, text);
  for (const { status, text } of changed.flat()) assert.ok([200, 400].includes(status), text);
}

async function mismatches(): Promise<readonly unknown[]> {
  const report = await verifyFully(hub.database);
  return report.mismatches;
}

/** What is answered of each case, as it was sent. */
async function answersOfCases(): Promise<readonly string[]> {
  const cases = await hub.database.rows(
    `select c.case_no, t.tenant_id
    from recall_cases c
    join tenants t on t.tenant_no = c.tenant_no
    order by c.case_id`,
  );
  const answers: string[] = [];
  for (const { case_no: caseNo, tenant_id: tenantId } of cases) {
    const casePath = `/v1/recall/cases/${String(caseNo)}`;
    const notice = `/public/notices/${String(caseNo)}`;
    const headers = { 'X-Tenant-Id': String(tenantId) };
    const byHand = ['added', 'excluded'].map((said) => `/lots/by-hand?said=${said}`);
    const lists = ['', '/lots', '/notifications', ...byHand].map((path) => `${casePath}${path}`);
    for (const path of [...lists, notice, `${notice}/history`, '/v1/lots?hold_status=on_hold']) {
      const answer = await hub.call(path, { headers });
      answers.push(`${path} ${answer.status} ${answer.text}`);
    }
  }
  return answers;
}
