// Random supply chains with late events and corrections, simulated recalls of their lots, and a plain
// model: both say the same, now and as of an earlier block.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { chooseRounds } from '@lothub/kit/test/rounds';
import fc from 'fast-check';
import { boot, newTenant, type Json } from '../boot.ts';
import { chainsToPlay } from '../engine.ts';
import type { ChainModel } from '../model/chain-model.ts';
import { buildGraph, suppliersUsing } from '../model/genealogy-model.ts';
import { playChain } from '../model/play.ts';
import { impactOfModel } from '../model/recall-model.ts';
import type { ModelImpact, ModelRecallDirection } from '../model/recall-model.ts';
import { DENSE, supplyChain, type Step } from '../model/supply-chains.ts';

const DIRECTIONS = ['both', 'upstream', 'downstream'] as const;
/** Some are names of own lots as well, one is of none. */
const SUPPLIER_LOTS = ['S-1', 'S-2', 'nothing'];
/** A slow machine plays fewer chains. */
const IN_TIME = { interruptAfterTimeLimit: 30_000, markInterruptAsFailure: false };

const hub = await openForFile(boot());

interface Asked {
  readonly tenantId: string;
  readonly lotCode: string;
  readonly supplierName: string | null;
  readonly direction: ModelRecallDirection;
  readonly includeDisposed: boolean;
}

/** Every lot of every tenant and what suppliers call theirs, each in one way or another. */
function* questionsOn(model: ChainModel): Generator<Asked> {
  let count = 0;
  for (const tenantId of model.tenantIds) {
    for (const lotCode of [...model.mapNamings(tenantId).keys(), ...SUPPLIER_LOTS]) {
      const direction = DIRECTIONS[count % DIRECTIONS.length] ?? 'both';
      const isOwn = model.mapNamings(tenantId).has(lotCode);
      const using = isOwn ? [] : suppliersUsing(buildGraph(model, tenantId), lotCode);
      // One supplier need not be named, of several one must be.
      const supplierName = using.length > 1 ? (using[count % using.length] ?? null) : null;
      const includeDisposed = count % 2 === 0;
      yield { tenantId, lotCode, supplierName, direction, includeDisposed };
      count += 1;
    }
  }
}

async function simulate(asked: Asked, asOfHeight?: number): Promise<Json | undefined> {
  const { tenantId, lotCode, supplierName, direction, includeDisposed } = asked;
  const answer = await hub.post(
    '/v1/recall/simulate',
    {
      lot_code: lotCode,
      supplier_name: supplierName,
      direction,
      include_disposed: includeDisposed,
      ...(asOfHeight === undefined ? {} : { as_of_height: asOfHeight }),
    },
    { 'X-Tenant-Id': tenantId },
  );
  if (answer.status === 404) return undefined;
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

/** What an answer says of the recall itself: not when it was asked, nor how long it took. */
function pickRecall(answer: Json | undefined): unknown {
  if (answer === undefined) return undefined;
  const { elapsed_ms: _ms, chain: _chain, as_of_height: _height, ...rest } = answer;
  return rest;
}

const LISTS = ['affected_lots', 'customers', 'unnamed_sales', 'suppliers', 'suspects'] as const;

/** The parts that the model knows, in an order that both can agree on. */
function comparable(answer: Json | ModelImpact | undefined): unknown {
  if (answer === undefined) return undefined;
  const parts = JSON.parse(JSON.stringify(answer)) as Record<string, unknown[]>;
  for (const name of ['suppliers', 'suspects']) {
    parts[name] = (parts[name] ?? []).map((entry) => {
      const { product_sku: _sku, ...rest } = entry as Record<string, unknown>;
      return rest;
    });
  }
  for (const supplier of parts['suppliers'] ?? []) {
    (supplier as { lot_codes: string[] }).lot_codes.sort();
  }
  const lists = LISTS.map((name) => [name, (parts[name] ?? []).map(canonical).sort()]);
  const others = ['seed_type', 'shipments', 'channels', 'event_count', 'excluded_disposed'];
  return Object.fromEntries([...lists, ...others.map((name) => [name, parts[name]])]);
}

function canonical(entry: unknown): string {
  return JSON.stringify(Object.entries(entry as object).sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function assertAsModelled(model: ChainModel): Promise<Map<Asked, unknown>> {
  const answers = new Map<Asked, unknown>();
  for (const asked of questionsOn(model)) {
    const answer = await simulate(asked);
    const expected = impactOfModel(model, asked.tenantId, asked);
    assert.deepEqual(comparable(answer), comparable(expected), JSON.stringify(asked));
    answers.set(asked, pickRecall(answer));
  }
  return answers;
}

async function tipHeight(): Promise<number> {
  const { json } = await hub.call('/public/explorer');
  return Number((json['stats'] as Json)['height']);
}

/** The same steps for tenants that nobody else has, so that all chains share one hub. */
function renamed(steps: readonly Step[]): readonly Step[] {
  const names = new Map<string, string>();
  return steps.flatMap((step): readonly Step[] => {
    if (!('tenantId' in step)) return [];
    const tenantId = names.get(step.tenantId) ?? newTenant();
    names.set(step.tenantId, tenantId);
    return [{ ...step, tenantId }];
  });
}

test('a simulation answers as the plain model, now and as of the block that was the newest then', async () => {
  await fc.assert(
    fc.asyncProperty(supplyChain(DENSE), fc.constantFrom(0.3, 0.5, 0.7), async (chain, share) => {
      // A hold is beside the chain: what was known at a block has only those set before it.
      const steps = renamed(chain).filter(({ kind }) => kind !== 'hold' && kind !== 'release');
      const cut = Math.round(steps.length * share);
      const model = await playChain(hub, steps.slice(0, cut));
      const earlier = await assertAsModelled(model);
      const height = await tipHeight();

      await playChain(hub, steps.slice(cut), model);

      await assertAsModelled(model);
      for (const [asked, answer] of earlier) {
        const again = pickRecall(await simulate(asked, height));
        assert.deepEqual(again, answer, `${JSON.stringify(asked)} as of ${height}`);
      }
    }),
    { numRuns: chainsToPlay(chooseRounds({ usual: 4, long: 24 })), ...IN_TIME },
  );
});
