// The operator's overview of all tenants, the chain and its verifier
// (docs/interface/traceability.md#overview-of-the-operator).
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { KeyRing } from '../keys/key-ring.ts';
import { SHARED_KEY_WARNING } from '../keys/key-tenants.ts';
import type { SharedKey } from '../keys/shared-keys.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import { chainSummary } from '../ledger/chain-summary.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { readRecordedTimes } from '../ledger/recorded-at.ts';
import { cappedCount } from '../lots/capped-count.ts';
import { readOpenClockAlarms } from '../ledger/clock-alarms.ts';
import { openAlarms, tenantsAfter, type TenantOverviewRow } from './queries.ts';
import type { Overview } from './schema.ts';

/** Lots and cases of a tenant that are counted; a page has up to 200 tenants. */
const COUNTED_MAX = 1_000;
const ALARMS_MAX = 100;
const WARNINGS_MAX = 100;

export interface OverviewDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly keys: Pick<KeyRing, 'shared'>;
}

export async function readOverview(
  deps: OverviewDeps,
  page: {
    readonly after: string;
    readonly tenantId: string | undefined;
    readonly limit: number;
  },
): Promise<Overview> {
  const { reader, state } = deps;
  const { limit } = page;
  // One more than is shown, to see whether there are more.
  const asked = { ...page, limit: limit + 1, countLimit: COUNTED_MAX + 1 };
  const [head, rows, alarms, clockAlarms] = await reader.together((one) =>
    Promise.all([
      one.head(),
      tenantsAfter(one.database, asked),
      openAlarms(one.database, ALARMS_MAX),
      readOpenClockAlarms(one.database),
    ]),
  );
  const { rows: shown, last } = cutPage(rows, limit);
  const heights = shown.flatMap(({ lastEventHeight }) => lastEventHeight ?? []);
  const recordedAt = await readRecordedTimes(reader.database, heights);
  return {
    hub: { tenants: head.tenants, transactions: head.transactions, lots: head.lots },
    tenants: shown.map((row) => tenantOverview(row, recordedAt)),
    next: last?.tenantId ?? null,
    chain: await chainSummary(deps, head),
    first_bad_height: state.condition.firstBadHeight,
    alarms: alarms.map(({ height, code, message, foundAt }) => ({
      height,
      code,
      message,
      found_at: foundAt,
    })),
    warnings: deps.keys.shared.slice(0, WARNINGS_MAX).map(sharedKeyWarning),
    clock_alarms: clockAlarms.map(({ machine, code, message, foundAt }) => ({
      machine,
      code,
      message,
      found_at: foundAt,
    })),
  };
}

function sharedKeyWarning({
  keyId,
  label,
  tenantIds,
  since,
}: SharedKey): Overview['warnings'][number] {
  return {
    code: SHARED_KEY_WARNING,
    message:
      `Tenants ${tenantIds.join(' and ')} write with key ${keyId}, which is bound to none: issue a key ` +
      'for each and revoke this one, or accept it with `lothub keys accept`',
    key_id: keyId,
    label,
    tenant_ids: [...tenantIds],
    since,
  };
}

function tenantOverview(
  row: TenantOverviewRow,
  recordedAt: ReadonlyMap<number, string>,
): Overview['tenants'][number] {
  return {
    tenant_id: row.tenantId,
    name: row.brandName ?? row.tenantId,
    events: row.events,
    corrections: row.corrections,
    transactions: row.transactions,
    lots: row.lots,
    ...cappedCount('lots_on_hold', row.lotsOnHold, COUNTED_MAX),
    ...cappedCount('lots_recalled', row.lotsRecalled, COUNTED_MAX),
    ...cappedCount('open_recalls', row.openRecalls, COUNTED_MAX),
    last_event_at: recordedAt.get(row.lastEventHeight ?? 0) ?? null,
  };
}
