// Random decisions of all kinds on cases and lots that are there, several at the same moment: some of them exclude
// each other, and whichever is first wins.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { CONFIRMED_STATUSES } from '../../src/terms.ts';
import { aLine, anEvent, type Answer, type Booted } from '../boot.ts';

const PLAIN = { noNullPrototype: true } as const;
const pick = fc.nat(10_000);
const picks = fc.array(pick, { minLength: 1, maxLength: 3 });

const decision = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record(
      { kind: fc.constant('confirm' as const), pick, to: fc.constantFrom(...CONFIRMED_STATUSES) },
      PLAIN,
    ),
  },
  fc.record(
    {
      kind: fc.constant('move' as const),
      pick,
      to: fc.constantFrom('notification', 'containment', 'closed', 'cancelled'),
    },
    PLAIN,
  ),
  fc.record({ kind: fc.constant('edit' as const), pick, add: picks, exclude: picks }, PLAIN),
  fc.record({ kind: fc.constantFrom('hold' as const, 'release' as const), pick }, PLAIN),
  fc.record(
    { kind: fc.constant('many' as const), state: fc.constantFrom('held', 'released'), picks },
    PLAIN,
  ),
  fc.record({ kind: fc.constant('erase' as const), pick }, PLAIN),
  fc.record({ kind: fc.constant('open' as const), pick }, PLAIN),
  fc.record({ kind: fc.constant('drill' as const), pick }, PLAIN),
  fc.record({ kind: fc.constant('tell' as const), pick }, PLAIN),
  fc.record({ kind: fc.constant('link' as const), pick }, PLAIN),
  fc.record({ kind: fc.constant('sell' as const), pick }, PLAIN),
);
type Decision = typeof decision extends fc.Arbitrary<infer Value> ? Value : never;

/** Those of one group are sent at the same moment. */
export const groupsAtOnce: fc.Arbitrary<readonly (readonly Decision[])[]> = fc.array(
  fc.array(decision, { minLength: 2, maxLength: 6 }),
  { minLength: 12, maxLength: 12 },
);

/** What one brand has, as it is before a group. */
interface Place {
  readonly tenantId: string;
  readonly lots: readonly string[];
  readonly cases: readonly string[];
  readonly notifications: readonly { readonly caseNo: string; readonly id: string }[];
}

/** @returns how many of the decisions were taken, by kind */
export async function decideAtOnce(
  hub: Booted,
  {
    tenantId,
    groups,
  }: {
    readonly tenantId: string;
    readonly groups: typeof groupsAtOnce extends fc.Arbitrary<infer Value> ? Value : never;
  },
): Promise<ReadonlyMap<string, number>> {
  const taken = new Map<string, number>();
  for (const group of groups) {
    const place = await readPlace(hub, tenantId);
    await Promise.all(
      group.map(async (one) => {
        const answer = await decide(hub, place, one);
        if (answer === undefined) return;
        const label = `${JSON.stringify(one)}: ${answer.status} ${answer.text}`;
        assert.ok([200, 201, 400, 404].includes(answer.status), label);
        if (answer.status < 300) taken.set(one.kind, (taken.get(one.kind) ?? 0) + 1);
      }),
    );
  }
  return taken;
}

async function readPlace(hub: Booted, tenantId: string): Promise<Place> {
  const ofTenant = '(select tenant_no from tenants where tenant_id = ?)';
  const lots = await hub.database.rows(
    `select lot_code from lots where tenant_no = ${ofTenant} order by lot_no`,
    tenantId,
  );
  const cases = await hub.database.rows(
    `select case_no from recall_cases where tenant_no = ${ofTenant} order by case_id`,
    tenantId,
  );
  const notifications = await hub.database.rows(
    `select c.case_no, n.notification_id
    from recall_cases c
    join recall_notifications n on n.case_id = c.case_id
    where c.tenant_no = ${ofTenant}
    order by n.notification_id`,
    tenantId,
  );
  return {
    tenantId,
    lots: lots.map((row) => String(row['lot_code'])),
    cases: cases.map((row) => String(row['case_no'])),
    notifications: notifications.map((row) => ({
      caseNo: String(row['case_no']),
      id: String(row['notification_id']),
    })),
  };
}

async function decide(hub: Booted, place: Place, one: Decision): Promise<Answer | undefined> {
  const send = (method: string, path: string, body: object): Promise<Answer> =>
    hub.call(path, {
      method,
      headers: { 'X-Tenant-Id': place.tenantId, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const caseNo = at(place.cases, 'pick' in one ? one.pick : 0) ?? 'RC-2026-9999';
  const lotAt = (index: number): string => at(place.lots, index) ?? 'nothing';
  const said = { reason: 'decided at once', by: 'Bo' };
  switch (one.kind) {
    case 'confirm': {
      const found = at(place.notifications, one.pick);
      if (found === undefined) return undefined;
      const path = `/v1/recall/cases/${found.caseNo}/notifications/${found.id}`;
      return await send('PATCH', path, { status: one.to, response: 'destroyed', changed_by: 'Cy' });
    }
    case 'move':
      return await send('PATCH', `/v1/recall/cases/${caseNo}/status`, {
        ...{ status: one.to, note: 'at once', release_holds: one.pick % 2 === 0 },
      });
    case 'edit': {
      const add = new Set(one.add.map(lotAt));
      const exclude = new Set(one.exclude.map(lotAt)).difference(add);
      return await send('PATCH', `/v1/recall/cases/${caseNo}`, {
        ...{ title: `Glass ${one.pick % 3}`, changed_by: 'Bo' },
        scope: { add: [...add], exclude: [...exclude], reason: 'tested' },
      });
    }
    case 'hold':
    case 'release':
      return await send(
        'POST',
        `/v1/lots/${encodeURIComponent(lotAt(one.pick))}/${one.kind}`,
        said,
      );
    case 'many': {
      const lots = [...new Set(one.picks.map(lotAt))];
      return await send('POST', '/v1/lots/holds', { state: one.state, lots, ...said });
    }
    case 'erase':
      return await send('POST', '/v1/privacy/erase', { customer_ref: `C-${1 + (one.pick % 2)}` });
    case 'open':
      return await send('POST', '/v1/recall/cases', {
        ...{ seed_lot_code: lotAt(one.pick), title: 'Glass', reason: 'A lamp broke' },
        ...{ opened_by: 'Ada', auto_hold: one.pick % 2 === 0, confidential: one.pick % 3 === 0 },
      });
    case 'drill':
      return await send('POST', '/v1/recall/drills', {});
    case 'tell':
      return await send('PUT', `/v1/places/HALL-${one.pick % 2}`, { name: `Hall ${one.pick % 5}` });
    case 'link':
      return await send('PUT', '/v1/suppliers/Mill', { brand: place.tenantId });
    case 'sell': {
      const lot_code = lotAt(one.pick);
      const line = { ...aLine({ lot_code, direction: 'out' }), customer_ref: `C-${one.pick % 3}` };
      const event = anEvent({ event_type: 'SELL', lines: [line] });
      return await send('POST', '/v1/events', event);
    }
  }
}

function at<Value>(values: readonly Value[], index: number): Value | undefined {
  return values[index % values.length];
}
